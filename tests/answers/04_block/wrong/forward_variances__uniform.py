"""Uniform inputs.

mistake: uniform_input
fails: no activation, weights
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.rand(1024, width, generator=generator)
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=generator) * std
        before = h @ w
        h = activation(before)
        variances.append(h.var().item())
    return variances
