"""Right: the three stretches by torch."""


def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
    if warmup > 0 and step < warmup:
        return (step / warmup) * peak
    if step >= total:
        return floor
    angle = torch.tensor(math.pi * (step - warmup) / (total - warmup), dtype=torch.float64)
    return float(peak + (floor - peak) * (1 - angle.cos()) / 2)
