"""Looks at key 0 only.

mistake: first_key
fails: the usual threshold
"""

def saturation(weights, threshold=0.95):
    return (weights[..., 0] > threshold).float().mean().item()
