"""The number of spans is always rounded up.

mistake: spans_rounded_up
fails: rounded, not raised
"""


def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    n = len(tokens)
    cut = max(1, round(density * n))
    keep = n - cut
    k = min(max(1, math.ceil(cut / mean_span)), cut, keep + 1)
    if len(sentinel_ids) < k + 1:
        raise ValueError("too few sentinels")

    def comp(s, m):
        bars = (torch.randperm(s - 1, generator=generator)[: m - 1] + 1).sort().values.tolist()
        bars = [0, *bars, s]
        return [b - a for a, b in zip(bars, bars[1:])]

    spans = comp(cut, k)
    gaps = comp(keep + 2, k + 1)
    gaps[0] -= 1
    gaps[-1] -= 1
    t = tokens.tolist()
    inp, tar, at = [], [], 0
    for i in range(k):
        inp += t[at : at + gaps[i]] + [sentinel_ids[i]]
        at += gaps[i]
        tar += [sentinel_ids[i]] + t[at : at + spans[i]]
        at += spans[i]
    inp += t[at:]
    tar.append(sentinel_ids[k])
    return torch.tensor(inp), torch.tensor(tar)
