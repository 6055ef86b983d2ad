"""The first slopes of 2P heads in a row.

mistake: remaining_in_a_row
fails: six heads
"""

def alibi_slopes(num_heads):
    def series(heads):
        return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]

    power = 1
    while 2 * power <= num_heads:
        power *= 2
    extra = series(2 * power)[: num_heads - power]
    slopes = series(power) + extra
    return torch.tensor(slopes)
