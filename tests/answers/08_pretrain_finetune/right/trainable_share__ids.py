"""Right: a dictionary by identity over all modules."""


def trainable_share(model):
    found = {id(p): p for m in model.modules() for p in m.parameters(recurse=False)}
    sizes = torch.tensor([p.numel() for p in found.values()], dtype=torch.float64)
    free = torch.tensor([float(p.requires_grad) for p in found.values()], dtype=torch.float64)
    return (sizes * free).sum().item() / sizes.sum().item()
