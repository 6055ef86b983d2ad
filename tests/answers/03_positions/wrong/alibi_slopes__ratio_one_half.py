"""½, ¼, … for every number of heads.

mistake: ratio_one_half
fails: a power of two
"""

def alibi_slopes(num_heads):
    def series(heads):
        return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]

    power = 1
    while 2 * power <= num_heads:
        power *= 2
    return torch.tensor([0.5 ** (h + 1) for h in range(num_heads)])
    extra = series(2 * power)[0::2][: num_heads - power]
    slopes = series(power) + extra
    return torch.tensor(slopes)
