"""R is C // 16, not rounded up.

mistake: unnamed
fails: names and shapes of the parameters
"""


class MambaBlock(nn.Module):
    def __init__(self, d_model, d_state=16, d_conv=4, expand=2):
        super().__init__()
        inner, rank = expand * d_model, max(1, d_model // 16)
        self.in_proj = nn.Linear(d_model, 2 * inner, bias=False)
        self.conv1d = nn.Conv1d(inner, inner, d_conv, groups=inner, padding=d_conv - 1)
        self.x_proj = nn.Linear(inner, rank + 2 * d_state, bias=False)
        self.dt_proj = nn.Linear(rank, inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1.0, d_state + 1).repeat(inner, 1)))
        self.D = nn.Parameter(torch.ones(inner))
        self.out_proj = nn.Linear(inner, d_model, bias=False)

    def forward(self, x):
        u, gate = self.in_proj(x).chunk(2, dim=-1)
        u = F.silu(self.conv1d(u.transpose(1, 2))[..., : x.shape[1]].transpose(1, 2))
        n = self.A_log.shape[1]
        low, b, c = self.x_proj(u).split([self.dt_proj.in_features, n, n], dim=-1)
        delta = F.softplus(self.dt_proj(low))
        y = course.selective_scan(u, delta, -torch.exp(self.A_log), b, c, self.D)
        return self.out_proj(y * F.silu(gate))
