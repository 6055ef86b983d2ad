"""Right: torch.exp for both, .item() for the float."""


def perplexity(loss):
    if torch.is_tensor(loss):
        return torch.exp(loss)
    return torch.exp(torch.tensor(loss, dtype=torch.float64)).item()
