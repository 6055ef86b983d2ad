"""Right: the neutral step (1, 0) is shifted in from the left."""


def associative_scan(a, b):
    shift, length = 1, a.shape[1]
    while shift < length:
        one, zero = torch.ones_like(a[:, :shift]), torch.zeros_like(b[:, :shift])
        a_past = torch.cat([one, a[:, : length - shift]], dim=1)
        b_past = torch.cat([zero, b[:, : length - shift]], dim=1)
        a, b = a * a_past, a * b_past + b
        shift <<= 1
    return b
