"""The 2 outside the root.

mistake: two_outside_the_root
fails: GPT-2's sizes
"""


def residual_std(base_std, num_layers):
    return base_std / (2 * math.sqrt(num_layers))
