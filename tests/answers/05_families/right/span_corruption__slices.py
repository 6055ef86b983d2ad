"""Right: lengths and gaps by sorted cuts, joined with torch.cat."""


def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    n = len(tokens)
    cut = min(n, max(1, round(density * n)))
    k = min(max(1, round(cut / mean_span)), cut, n - cut + 1)
    if k >= len(sentinel_ids):
        raise ValueError(k)

    def split(total, parts):
        cuts = (torch.randperm(total - 1, generator=generator)[: parts - 1] + 1).sort().values
        edges = torch.cat([torch.tensor([0]), cuts, torch.tensor([total])])
        return edges.diff().tolist()

    lengths, gaps = split(cut, k), split(n - cut + 2, k + 1)
    gaps[0], gaps[-1] = gaps[0] - 1, gaps[-1] - 1
    pieces = tokens.split([size for pair in zip(gaps, lengths) for size in pair] + [gaps[-1]])
    marks = [torch.tensor([int(s)]) for s in sentinel_ids[: k + 1]]
    source = [t for kept, mark in zip(pieces[0::2], marks) for t in (kept, mark)][:-1]
    target = [t for mark, span in zip(marks, pieces[1::2]) for t in (mark, span)]
    return torch.cat(source), torch.cat([*target, marks[k]])
