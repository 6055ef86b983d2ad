"""Right: by hand, a better one takes the place."""


def best_of_n(scores):
    best = torch.zeros(scores.shape[:-1], dtype=torch.int64)
    top = scores[..., 0].clone()
    for i in range(1, scores.shape[-1]):
        better = scores[..., i] > top
        best = torch.where(better, i, best)
        top = torch.where(better, scores[..., i], top)
    return best
