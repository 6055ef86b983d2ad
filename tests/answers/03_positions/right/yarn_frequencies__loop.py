"""One pair at a time.
"""

def yarn_frequencies(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
    def index(turns):
        return d_head * math.log(train_len / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(index(beta_fast)), 0), min(math.ceil(index(beta_slow)), d_head - 1)
    result = []
    for i in range(d_head // 2):
        plain = base ** (-2 * i / d_head)
        ramp = min(max((i - low) / (high - low if high != low else 0.001), 0), 1)
        result.append(plain * (1 - ramp) + plain / factor * ramp)
    return torch.tensor(result), (1.0 if factor <= 1 else 0.1 * math.log(factor) + 1.0)
