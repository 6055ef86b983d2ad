"""The extrapolation factor of transformers, 1 − ramp.
"""

def yarn_frequencies(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
    pos_freqs = base ** (torch.arange(0, d_head, 2).float() / d_head)
    inv_extra, inv_inter = 1.0 / pos_freqs, 1.0 / (factor * pos_freqs)
    dims = [d_head * math.log(train_len / (r * 2 * math.pi)) / (2 * math.log(base)) for r in (beta_fast, beta_slow)]
    low, high = max(math.floor(dims[0]), 0), min(math.ceil(dims[1]), d_head - 1)
    if low == high:
        high += 0.001
    keep = 1 - torch.clamp((torch.arange(d_head // 2).float() - low) / (high - low), 0, 1)
    attention = 0.1 * math.log(factor) + 1.0 if factor > 1 else 1.0
    return inv_inter * (1 - keep) + inv_extra * keep, attention
