"""0 after total.

mistake: zero_after_the_end
fails: the floor from total on
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step > total:
        return 0.0
    if step < warmup:
        return peak * step / warmup
    return floor + (peak - floor) * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) / 2
