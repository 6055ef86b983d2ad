"""Counts and divides."""

def saturation(weights, threshold=0.95):
    rows = weights.flatten(0, -2)
    return int((rows.max(dim=1).values > threshold).sum()) / len(rows)
