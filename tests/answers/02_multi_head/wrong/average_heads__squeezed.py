"""Drops every axis of size 1.

mistake: squeezed
fails: axes of size 1 stay
"""

def average_heads(weights):
    return weights.mean(dim=-3).squeeze()
