"""Right: Kaiming's initialisation, F.linear twice, a new layer in merge."""


class LoRALinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        for p in self.linear.parameters():
            p.requires_grad = False
        kind = dict(dtype=linear.weight.dtype, device=linear.weight.device)
        self.rank, self.alpha = rank, alpha
        self.lora_a = nn.Parameter(torch.empty(rank, linear.in_features, **kind))
        self.lora_b = nn.Parameter(torch.zeros(linear.out_features, rank, **kind))
        nn.init.kaiming_uniform_(self.lora_a, a=5**0.5)

    def forward(self, x):
        return self.linear(x) + F.linear(F.linear(x, self.lora_a), self.lora_b) * (self.alpha / self.rank)

    def merge(self):
        old = self.linear
        new = nn.Linear(old.in_features, old.out_features, bias=old.bias is not None, dtype=old.weight.dtype)
        with torch.no_grad():
            new.weight.copy_(old.weight + self.alpha / self.rank * self.lora_b @ self.lora_a)
            if old.bias is not None:
                new.bias.copy_(old.bias)
        return new
