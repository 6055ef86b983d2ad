"""A weight at the threshold counts.

mistake: at_least
fails: a weight equal to the threshold
"""

def saturation(weights, threshold=0.95):
    return (weights.amax(-1) >= threshold).double().mean().item()
