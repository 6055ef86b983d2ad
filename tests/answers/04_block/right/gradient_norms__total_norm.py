"""Right: torch's own norm of many tensors."""


def gradient_norms(blocks, loss):
    out = []
    for b in blocks:
        ps = [p for p in b.parameters() if p.requires_grad]
        gs = torch.autograd.grad(loss, ps, retain_graph=True, allow_unused=True) if ps else []
        out.append(float(torch.nn.utils.get_total_norm([g for g in gs if g is not None])))
    return out
