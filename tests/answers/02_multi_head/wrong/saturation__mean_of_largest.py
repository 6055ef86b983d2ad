"""The mean of the largest weights is returned.

mistake: mean_of_largest
fails: the usual threshold
"""

def saturation(weights, threshold=0.95):
    return weights.amax(-1).mean().item()
