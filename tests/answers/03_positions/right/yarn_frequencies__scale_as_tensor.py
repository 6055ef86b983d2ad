"""The ramp divides by a blended factor, the scale is a tensor.
"""

def yarn_frequencies(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
    i = torch.arange(d_head // 2, dtype=torch.float64)
    border = lambda r: d_head / 2 * math.log(train_len / (2 * math.pi * r), base)
    low, high = max(math.floor(border(beta_fast)), 0), min(math.ceil(border(beta_slow)), d_head - 1)
    ramp = ((i - low) / max(high - low, 1e-3)).clamp(0, 1)
    frequencies = base ** (-2 * i / d_head) * (1 + ramp * (1 / factor - 1))
    return frequencies.float(), torch.tensor(max(factor, 1.0)).log() * 0.1 + 1
