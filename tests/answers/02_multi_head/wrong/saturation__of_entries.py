"""Entries are counted, not rows.

mistake: of_entries
fails: the usual threshold
"""

def saturation(weights, threshold=0.95):
    return (weights > threshold).double().mean().item()
