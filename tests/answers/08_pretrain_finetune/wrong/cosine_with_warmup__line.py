"""A straight line down.

mistake: straight_line_down
fails: every step of the cosine
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return peak + (floor - peak) * share
