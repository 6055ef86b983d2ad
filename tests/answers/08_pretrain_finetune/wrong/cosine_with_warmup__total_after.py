"""The cosine lasts total steps after the warm-up.

mistake: ends_late
fails: every step of the cosine
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = min(1.0, (step - warmup) / total)
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
