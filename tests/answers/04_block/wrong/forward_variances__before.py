"""Measures before the activation.

mistake: before_activation
fails: He and ReLU
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(1024, width, generator=generator)
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=generator) * std
        before = h @ w
        h = activation(before)
        variances.append(before.var().item())
    return variances
