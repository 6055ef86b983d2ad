"""Each layer reads the input.

mistake: layers_not_stacked
fails: no activation, weights
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(1024, width, generator=generator)
    x = h
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=generator) * std
        before = x @ w
        h = activation(before)
        variances.append(h.var().item())
    return variances
