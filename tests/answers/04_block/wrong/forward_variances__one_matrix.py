"""One matrix for all layers.

mistake: same_weights
fails: batch of 1024
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(1024, width, generator=generator)
    w = torch.randn(width, width, generator=generator) * std
    variances = []
    for _ in range(depth):
        before = h @ w
        h = activation(before)
        variances.append(h.var().item())
    return variances
