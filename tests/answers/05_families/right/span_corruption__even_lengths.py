"""Right: lengths as equal as possible; start places by choosing among what is left."""


def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    n = len(tokens)
    cut = max(1, round(density * n))
    cut = min(cut, n)
    k = max(1, round(cut / mean_span))
    k = min(k, cut, n - cut + 1)
    if k + 1 > len(sentinel_ids):
        raise ValueError(f"{k + 1} sentinels are needed")
    lengths = [cut // k + (1 if i < cut % k else 0) for i in range(k)]
    # A span and the token after it are one block; a virtual token at the end gives the last span its own.
    free = n + 1 - cut - k
    slots = torch.randperm(free + k, generator=generator)[:k].sort().values.tolist()
    inputs, targets, at, used = [], [], 0, 0
    for i, slot in enumerate(slots):
        plain = slot - i - used
        used += plain
        inputs += tokens[at : at + plain].tolist() + [sentinel_ids[i]]
        at += plain
        targets += [sentinel_ids[i]] + tokens[at : at + lengths[i]].tolist()
        at += lengths[i]
        inputs += tokens[at : at + 1].tolist()
        at += 1
    inputs += tokens[at:].tolist()
    targets.append(sentinel_ids[k])
    return torch.tensor(inputs, dtype=tokens.dtype), torch.tensor(targets, dtype=tokens.dtype)
