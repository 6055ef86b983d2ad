"""Right: nn.Linear without bias, drawn with normal_."""


def forward_variances(depth, width, std, activation, generator=None):
    with torch.no_grad():
        h, result = torch.empty(1024, width).normal_(generator=generator), []
        for _ in range(depth):
            layer = nn.Linear(width, width, bias=False)
            layer.weight.normal_(0.0, std, generator=generator)
            h = activation(layer(h))
            result.append(h.var().item())
    return result
