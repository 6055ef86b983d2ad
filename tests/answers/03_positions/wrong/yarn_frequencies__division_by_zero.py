"""NaN where both borders are the same.

mistake: unnamed
fails: borders are the same
"""


def yarn_frequencies(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
    i = torch.arange(d_head // 2)
    theta = base ** (-2 * i / d_head)
    def border(r):
        return d_head * math.log(train_len / (2 * math.pi * r)) / (2 * math.log(base))
    low = max(math.floor(border(beta_fast)), 0)
    high = min(math.ceil(border(beta_slow)), d_head - 1)
    width = high - low
    ramp = ((i - low) / width).clamp(0, 1)
    scale = 0.1 * math.log(factor) + 1 if factor > 1 else 1.0
    return (1 - ramp) * theta + ramp * theta / factor, scale
