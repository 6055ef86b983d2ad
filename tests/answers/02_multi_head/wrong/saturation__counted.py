"""A number of rows is returned.

mistake: counted
fails: the usual threshold
"""

def saturation(weights, threshold=0.95):
    return float((weights.amax(-1) > threshold).sum())
