"""Adds the heads one by one."""

def average_heads(weights):
    heads = weights.unbind(-3)
    return sum(heads[1:], heads[0]) / len(heads)
