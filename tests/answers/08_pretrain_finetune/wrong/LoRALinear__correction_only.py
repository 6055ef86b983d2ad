"""Only the correction.

mistake: base_forgotten
fails: values and gradients, more axes
"""


class LoRALinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.linear.requires_grad_(False)
        w = linear.weight.detach()
        self.scale = alpha / rank
        self.lora_a = nn.Parameter(torch.randn(rank, linear.in_features).to(w) * 0.02)
        self.lora_b = nn.Parameter(w.new_zeros(linear.out_features, rank))

    def forward(self, x):
        return self.scale * (x @ self.lora_a.T @ self.lora_b.T)

    def merge(self):
        merged = copy.deepcopy(self.linear)
        merged.weight.data += self.scale * (self.lora_b @ self.lora_a).detach()
        return merged
