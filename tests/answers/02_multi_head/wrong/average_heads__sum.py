"""The heads are added.

mistake: sum
fails: a batch
"""

def average_heads(weights):
    return weights.sum(-3)
