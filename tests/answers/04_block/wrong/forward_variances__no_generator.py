"""Ignores the generator.

mistake: generator_not_used
fails: batch of 1024
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(1024, width, generator=None)
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=None) * std
        before = h @ w
        h = activation(before)
        variances.append(h.var().item())
    return variances
