"""The number of sweeps is log₂ T rounded down: right for powers of 2 only.

mistake: unnamed
fails: 3 positions
"""


def associative_scan(a, b):
    for i in range(int(math.log2(a.shape[1]))):
        shift = 2**i
        b = torch.cat([b[:, :shift], a[:, shift:] * b[:, :-shift] + b[:, shift:]], dim=1)
        a = torch.cat([a[:, :shift], a[:, shift:] * a[:, :-shift]], dim=1)
    return b
