"""Forgets the root.

mistake: no_root
fails: GPT-2's sizes
"""


def residual_std(base_std, num_layers):
    return base_std / (2 * num_layers)
