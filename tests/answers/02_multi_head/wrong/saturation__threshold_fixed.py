"""The argument is never used.

mistake: threshold_fixed
fails: threshold 0.5
"""

def saturation(weights, threshold=0.95):
    return (weights.amax(-1) > 0.95).double().mean().item()
