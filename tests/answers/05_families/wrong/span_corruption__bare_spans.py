"""Targets without sentinels.

mistake: no_sentinels_in_targets
fails: a text of T5's settings
"""


def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    n = len(tokens)
    cut = min(n, max(1, round(density * n)))
    kept = n - cut
    spans = min(max(1, round(cut / mean_span)), cut, kept + 1)
    if spans + 1 > len(sentinel_ids):
        raise ValueError(f"{spans} spans")

    def parts(total, count):
        places = torch.randperm(total - 1, generator=generator)[: count - 1] + 1
        borders = [0, *sorted(places.tolist()), total]
        return [b - a for a, b in zip(borders, borders[1:])]

    lengths = parts(cut, spans)
    gaps = parts(kept + 2, spans + 1)
    gaps[0] -= 1
    gaps[-1] -= 1
    inputs, targets, position = [], [], 0
    for i in range(spans):
        start = position + gaps[i]
        end = start + lengths[i]
        mark = [int(sentinel_ids[i])]
        inputs += tokens[position:start].tolist() + mark
        targets += tokens[start:end].tolist()
        position = end
    inputs += tokens[position:].tolist()
    return tokens.new_tensor(inputs), tokens.new_tensor(targets)
