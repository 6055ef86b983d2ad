"""The cosine goes on after total.

mistake: restarts
fails: the floor from total on
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
