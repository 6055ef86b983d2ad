"""Rows that attend to nothing are left out.

mistake: empty_rows_skipped
fails: rows that attend to nothing
"""

def saturation(weights, threshold=0.95):
    over = (weights.amax(-1) > threshold).double().sum()
    return (over / (weights.sum(-1) > 0).sum()).item()
