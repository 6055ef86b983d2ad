"""Forgets root and 2.

mistake: no_root_one_branch
fails: GPT-2's sizes
"""


def residual_std(base_std, num_layers):
    return base_std / num_layers
