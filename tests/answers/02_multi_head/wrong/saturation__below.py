"""The rows below are counted.

mistake: below
fails: the usual threshold
"""

def saturation(weights, threshold=0.95):
    return (weights.amax(-1) < threshold).double().mean().item()
