"""A whole period.

mistake: full_cosine
fails: every step of the cosine
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * (1 + math.cos(2 * math.pi * share)) / 2
