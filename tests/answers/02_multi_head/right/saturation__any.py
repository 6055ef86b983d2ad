"""Any weight over the threshold in the row."""

def saturation(weights, threshold=0.95):
    return (weights > threshold).any(dim=-1).float().mean().item()
