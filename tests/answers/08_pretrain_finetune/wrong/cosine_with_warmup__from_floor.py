"""Warms up from the floor.

mistake: starts_at_floor
fails: every step of the line up
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return floor + (peak - floor) * step / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
