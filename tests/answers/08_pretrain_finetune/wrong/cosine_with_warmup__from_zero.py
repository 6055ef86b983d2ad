"""The cosine began at step 0.

mistake: whole_period
fails: every step of the cosine
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = min(1.0, step / total)
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
