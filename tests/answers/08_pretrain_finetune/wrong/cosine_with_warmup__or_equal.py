"""step <= warmup, with a guarded divisor.

mistake: late_peak
fails: without a warm-up
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step <= warmup:
        return peak * step / max(warmup, 1)
    share = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
