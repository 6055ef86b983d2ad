"""The attention scale is not returned.

mistake: unnamed
fails: Llama 2
"""

def yarn_frequencies(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
    def pair_with(turns):
        return d_head * math.log(train_len / (2 * math.pi * turns)) / (2 * math.log(base))

    pairs = torch.arange(d_head // 2)
    plain = base ** (-2 * pairs / d_head)
    low = max(math.floor(pair_with(beta_fast)), 0)
    high = min(math.ceil(pair_with(beta_slow)), d_head - 1)
    ramp = ((pairs - low) / max(high - low, 0.001)).clamp(0, 1)
    frequencies = plain * (1 - ramp) + plain / factor * ramp
    return frequencies
