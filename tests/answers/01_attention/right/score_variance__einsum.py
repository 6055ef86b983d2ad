"""Right: all draws at once, einsum, torch.var."""


def score_variance(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    k = torch.randn(num_samples, d_k, generator=generator)
    return torch.einsum("nd,nd->n", q, k).var().item()
