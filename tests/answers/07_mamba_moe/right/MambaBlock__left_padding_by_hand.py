"""Right: zeros before the text and the convolution's weights used alone; the scan by pairs."""


class MambaBlock(nn.Module):
    def __init__(self, d_model, d_state=16, d_conv=4, expand=2):
        super().__init__()
        self.inner, self.n, self.r = expand * d_model, d_state, (d_model + 15) // 16
        self.in_proj = nn.Linear(d_model, 2 * self.inner, bias=False)
        self.conv1d = nn.Conv1d(self.inner, self.inner, d_conv, groups=self.inner)
        self.x_proj = nn.Linear(self.inner, self.r + 2 * d_state, bias=False)
        self.dt_proj = nn.Linear(self.r, self.inner)
        self.A_log = nn.Parameter(torch.rand(self.inner, d_state))
        self.D = nn.Parameter(torch.rand(self.inner))
        self.out_proj = nn.Linear(self.inner, d_model, bias=False)

    def forward(self, x):
        both = self.in_proj(x)
        u, gate = both[..., : self.inner], both[..., self.inner :]
        taps = self.conv1d.weight.shape[-1]
        u = F.conv1d(F.pad(u.transpose(1, 2), (taps - 1, 0)), self.conv1d.weight, self.conv1d.bias, groups=self.inner)
        u = F.silu(u).transpose(1, 2)
        read = self.x_proj(u)
        delta = F.softplus(self.dt_proj(read[..., : self.r]))
        b, c = read[..., self.r : self.r + self.n], read[..., self.r + self.n :]
        decay = torch.exp(-delta.unsqueeze(-1) * self.A_log.exp())
        h = course.associative_scan(decay, (delta * u).unsqueeze(-1) * b.unsqueeze(2))
        y = torch.einsum("btdn,btn->btd", h, c) + u * self.D
        return self.out_proj(y * gate * torch.sigmoid(gate))
