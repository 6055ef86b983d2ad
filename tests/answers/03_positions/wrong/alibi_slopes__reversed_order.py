"""The flattest head comes first.

mistake: reversed_order
fails: eight heads
"""

def alibi_slopes(num_heads):
    def series(heads):
        return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]

    power = 1
    while 2 * power <= num_heads:
        power *= 2
    extra = series(2 * power)[0::2][: num_heads - power]
    slopes = series(power) + extra
    return torch.tensor(slopes[::-1])
