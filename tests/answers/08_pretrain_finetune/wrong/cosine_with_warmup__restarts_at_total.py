"""The cosine begins anew at total.

mistake: restarts_at_total
fails: a few steps
"""

def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    share = ((step - warmup) % (total - warmup)) / (total - warmup)
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * share))
