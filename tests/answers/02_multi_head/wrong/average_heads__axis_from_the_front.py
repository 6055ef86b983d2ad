"""The heads are counted from the front: right for a batch only.

mistake: unnamed
fails: one sample
"""

def average_heads(weights):
    return weights.mean(1)
