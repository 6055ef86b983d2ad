"""nn.Linear with its own bias.

mistake: bias_added
fails: batch of 1024
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(1024, width, generator=generator)
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=generator) * std
        bias = torch.rand(width, generator=generator) - 0.5
        before = h @ w + 0.1 * bias
        h = activation(before)
        variances.append(h.var().item())
    return variances
