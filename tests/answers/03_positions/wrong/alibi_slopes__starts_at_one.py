"""The series starts with the exponent 0.

mistake: starts_at_one
fails: eight heads
"""

def alibi_slopes(num_heads):
    def series(heads):
        return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]

    power = 1
    while 2 * power <= num_heads:
        power *= 2
    return torch.tensor([2.0 ** (-8.0 * h / num_heads) for h in range(num_heads)])
    extra = series(2 * power)[0::2][: num_heads - power]
    slopes = series(power) + extra
    return torch.tensor(slopes)
