"""Takes base_std for a variance.

mistake: root_of_the_base
fails: GPT-2's sizes
"""


def residual_std(base_std, num_layers):
    return math.sqrt(base_std / (2 * num_layers))
