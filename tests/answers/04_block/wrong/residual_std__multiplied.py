"""Multiplies.

mistake: multiplied
fails: GPT-2's sizes
"""


def residual_std(base_std, num_layers):
    return base_std * math.sqrt(2 * num_layers)
