"""The largest weight of each column is looked at.

mistake: of_columns
fails: the usual threshold
"""

def saturation(weights, threshold=0.95):
    return (weights.amax(-2) > threshold).double().mean().item()
