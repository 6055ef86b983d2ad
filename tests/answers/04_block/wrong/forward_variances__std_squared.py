"""The variance for the deviation.

mistake: std_squared
fails: He and ReLU
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(1024, width, generator=generator)
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=generator) * std**2
        before = h @ w
        h = activation(before)
        variances.append(h.var().item())
    return variances
