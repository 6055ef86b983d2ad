"""Averages the heads first.

mistake: heads_averaged
fails: threshold
"""

def saturation(weights, threshold=0.95):
    if weights.dim() > 2:
        weights = weights.mean(dim=-3)
    return (weights.amax(-1) > threshold).float().mean().item()
