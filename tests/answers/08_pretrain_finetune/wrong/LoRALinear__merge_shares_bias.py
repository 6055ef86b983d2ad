"""The merged layer has a weight of its own, but the bias of the old one.

mistake: unnamed
fails: merging gives an independent layer
"""


class LoRALinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        linear.requires_grad_(False)
        w = linear.weight
        self.lora_a = nn.Parameter(torch.randn(rank, linear.in_features, dtype=w.dtype, device=w.device) / linear.in_features**0.5)
        self.lora_b = nn.Parameter(w.new_zeros(linear.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.linear(x) + self.scale * (x @ self.lora_a.T @ self.lora_b.T)

    def merge(self):
        new = nn.Linear(self.linear.in_features, self.linear.out_features, bias=self.linear.bias is not None, dtype=self.linear.weight.dtype)
        new.weight = nn.Parameter(self.linear.weight.clone())
        new.bias = self.linear.bias
        with torch.no_grad():
            new.weight += self.scale * self.lora_b @ self.lora_a
        return new
