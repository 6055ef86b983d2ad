"""The paper's first ramp, over the number of turns.

mistake: unnamed
fails: Llama 2
"""


def yarn_frequencies(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
    theta = base ** (-torch.arange(0, d_head, 2) / d_head)
    turns = train_len * theta / (2 * math.pi)
    keep = ((turns - beta_slow) / (beta_fast - beta_slow)).clamp(0, 1)
    scale = 0.1 * math.log(factor) + 1 if factor > 1 else 1.0
    return keep * theta + (1 - keep) * theta / factor, scale
