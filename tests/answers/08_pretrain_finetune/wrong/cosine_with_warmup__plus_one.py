"""One step ahead.

mistake: one_step_early
fails: every step of the line up
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * (step + 1) / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
