"""In plain Python."""

def saturation(weights, threshold=0.95):
    rows = weights.reshape(-1, weights.shape[-1]).tolist()
    return sum(max(row) > threshold for row in rows) / len(rows)
