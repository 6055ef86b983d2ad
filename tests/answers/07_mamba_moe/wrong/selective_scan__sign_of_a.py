"""A minus too many.

mistake: sign_of_a
fails: two sequences, three channels
"""


def selective_scan(x, delta, a, b, c, d):
    batch, length, channels = x.shape
    h = torch.zeros(batch, channels, a.shape[1], dtype=x.dtype)
    y = []
    for t in range(length):
        step = delta[:, t].unsqueeze(-1)
        decay = torch.exp(-step * a)
        enter = step * b[:, t].unsqueeze(1)
        h = decay * h + enter * x[:, t].unsqueeze(-1)
        y.append(torch.einsum("bcn,bn->bc", h, c[:, t]))
    return torch.stack(y, dim=1) + d * x
