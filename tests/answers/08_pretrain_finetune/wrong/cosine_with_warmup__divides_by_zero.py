"""Divides by warmup first.

mistake: warmup_zero_divides
fails: without a warm-up
"""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    line = peak * step / warmup
    share = min(1.0, (step - warmup) / (total - warmup))
    return line if step < warmup else floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2
