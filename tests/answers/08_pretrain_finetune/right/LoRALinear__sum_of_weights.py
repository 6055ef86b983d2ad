"""Right: builds the sum of the weights in forward; a state dict in merge."""


class LoRALinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.scale = alpha / rank
        a = torch.rand(rank, linear.in_features) - 0.5
        self.lora_a = nn.Parameter(a.to(linear.weight.dtype))
        self.lora_b = nn.Parameter(torch.zeros(linear.out_features, rank).to(linear.weight.dtype))

    def weight(self):
        return self.linear.weight + self.scale * (self.lora_b @ self.lora_a)

    def forward(self, x):
        return F.linear(x, self.weight(), self.linear.bias)

    def merge(self):
        new = copy.deepcopy(self.linear)
        new.weight = nn.Parameter(self.weight().detach().clone())
        return new
