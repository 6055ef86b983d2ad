"""Right: a squared cosine of half the angle."""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * math.cos(math.pi * share / 2) ** 2
