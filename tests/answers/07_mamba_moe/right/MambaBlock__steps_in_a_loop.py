"""Right: convolution and scan in one loop over the positions."""


class MambaBlock(nn.Module):
    def __init__(self, d_model: int, d_state: int = 16, d_conv: int = 4, expand: int = 2):
        super().__init__()
        d_inner = expand * d_model
        self.dt_rank = math.ceil(d_model / 16)
        self.in_proj = nn.Linear(d_model, d_inner * 2, bias=False)
        self.conv1d = nn.Conv1d(d_inner, d_inner, kernel_size=d_conv, groups=d_inner, padding=d_conv - 1, bias=True)
        self.x_proj = nn.Linear(d_inner, self.dt_rank + d_state * 2, bias=False)
        self.dt_proj = nn.Linear(self.dt_rank, d_inner, bias=True)
        self.A_log = nn.Parameter(torch.zeros(d_inner, d_state))
        self.D = nn.Parameter(torch.ones(d_inner))
        self.out_proj = nn.Linear(d_inner, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        n = self.A_log.shape[1]
        xs, zs = self.in_proj(x).split(self.D.shape[0], dim=-1)
        kernel = self.conv1d.weight.squeeze(1)
        window = [torch.zeros_like(xs[:, 0]) for _ in range(kernel.shape[1])]
        h = torch.zeros(x.shape[0], *self.A_log.shape, dtype=x.dtype)
        outputs = []
        for t in range(x.shape[1]):
            window = [*window[1:], xs[:, t]]
            u = F.silu(sum(w * k for w, k in zip(window, kernel.unbind(1))) + self.conv1d.bias)
            low, b, c = self.x_proj(u).split([self.dt_rank, n, n], dim=-1)
            dt = F.softplus(self.dt_proj(low))[..., None]
            h = torch.exp(-dt * torch.exp(self.A_log)) * h + dt * b[:, None] * u[..., None]
            y = (h @ c[..., None]).squeeze(-1) + self.D * u
            outputs.append(self.out_proj(y * F.silu(zs[:, t])))
        return torch.stack(outputs, dim=1)
