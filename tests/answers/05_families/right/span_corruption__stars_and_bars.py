"""Right: gaps by distributing spare tokens; walks over a mask of the text."""


def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    n = tokens.numel()
    noise = min(max(round(n * density), 1), n)
    count = min(max(round(noise / mean_span), 1), noise, n - noise + 1)
    if len(sentinel_ids) < count + 1:
        raise ValueError("not enough sentinels")

    def throw(balls, boxes):
        """Balls into boxes, one by one."""
        found = [0] * boxes
        for box in torch.randint(boxes, (balls,), generator=generator).tolist():
            found[box] += 1
        return found

    lengths = [1 + extra for extra in throw(noise - count, count)]
    gaps = throw(n - noise - (count - 1), count + 1)
    noisy = []
    for i in range(count):
        noisy += [-1] * (gaps[i] + (i > 0)) + [i] * lengths[i]
    noisy += [-1] * gaps[-1]
    source, target, last = [], [], -1
    for token, span in zip(tokens.tolist(), noisy):
        if span < 0:
            source.append(token)
            continue
        if span != last:
            source.append(sentinel_ids[span])
            target.append(sentinel_ids[span])
            last = span
        target.append(token)
    target.append(sentinel_ids[count])
    return torch.tensor(source), torch.tensor(target)
