"""Right: positions compared with lengths, reshaped by view."""


def padding_mask(lengths, n):
    return (torch.arange(n, device=lengths.device) < lengths.unsqueeze(1)).view(-1, 1, 1, n)
