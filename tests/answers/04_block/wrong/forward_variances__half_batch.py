"""512 samples.

mistake: wrong_batch
fails: batch of 1024
"""


def forward_variances(depth, width, std, activation, generator=None):
    h = torch.randn(512, width, generator=generator)
    variances = []
    for _ in range(depth):
        w = torch.randn(width, width, generator=generator) * std
        before = h @ w
        h = activation(before)
        variances.append(h.var().item())
    return variances
