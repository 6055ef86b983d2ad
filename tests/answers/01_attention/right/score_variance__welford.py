"""Right: pairs drawn one by one, with Welford's running mean and sum of squares."""


def score_variance(d_k, num_samples, generator=None):
    mean, squares = 0.0, 0.0
    for i in range(1, num_samples + 1):
        pair = torch.randn(2, d_k, generator=generator)
        score = float(pair[0].dot(pair[1]))
        step = score - mean
        mean += step / i
        squares += step * (score - mean)
    return squares / (num_samples - 1)
