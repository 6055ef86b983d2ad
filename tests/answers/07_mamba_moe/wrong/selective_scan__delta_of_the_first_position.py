"""The step is taken outside the loop.

mistake: delta_of_the_first_position
fails: two sequences, three channels
"""


def selective_scan(x, delta, a, b, c, d):
    batch, length, channels = x.shape
    h = torch.zeros(batch, channels, a.shape[1], dtype=x.dtype)
    y = []
    step = delta[:, 0].unsqueeze(-1)
    for t in range(length):
        decay = torch.exp(step * a)
        enter = step * b[:, t].unsqueeze(1)
        h = decay * h + enter * x[:, t].unsqueeze(-1)
        y.append(torch.einsum("bcn,bn->bc", h, c[:, t]))
    return torch.stack(y, dim=1) + d * x
