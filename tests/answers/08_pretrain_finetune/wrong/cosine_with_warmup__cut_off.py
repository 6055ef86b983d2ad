"""Cuts the cosine off at the floor.

mistake: floor_as_minimum
fails: every step of the cosine
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return max(floor, peak * (1 + math.cos(math.pi * share)) / 2)
