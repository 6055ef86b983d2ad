"""√N in place of √2N.

mistake: one_branch_per_layer
fails: GPT-2's sizes
"""


def residual_std(base_std, num_layers):
    return base_std / math.sqrt(num_layers)
