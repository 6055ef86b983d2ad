"""The zero factor is A.

mistake: zero_factor_swapped
fails: a fresh layer of other sizes
"""


class LoRALinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.linear.requires_grad_(False)
        w = linear.weight.detach()
        self.scale = alpha / rank
        self.lora_a = nn.Parameter(w.new_zeros(rank, linear.in_features))
        self.lora_b = nn.Parameter(torch.randn(linear.out_features, rank).to(w) * 0.02)

    def forward(self, x):
        return self.linear(x) + self.scale * (x @ self.lora_a.T @ self.lora_b.T)

    def merge(self):
        merged = copy.deepcopy(self.linear)
        merged.weight.data += self.scale * (self.lora_b @ self.lora_a).detach()
        return merged
