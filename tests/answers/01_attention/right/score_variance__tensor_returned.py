"""Right: torch.std with one correction, squared; a tensor of one number, which float() takes."""


def score_variance(d_k, num_samples, generator=None):
    q = torch.normal(0.0, 1.0, (num_samples, 1, d_k), generator=generator)
    k = torch.normal(0.0, 1.0, (num_samples, d_k, 1), generator=generator)
    return torch.bmm(q, k).flatten().std(correction=1) ** 2
