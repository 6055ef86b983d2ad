"""Names of its own: weights cannot be loaded.

mistake: unnamed
fails: values and all gradients
"""


class MambaBlock(nn.Module):
    def __init__(self, d_model, d_state=16, d_conv=4, expand=2):
        super().__init__()
        inner = d_model * expand
        self.sizes = [-(-d_model // 16), d_state, d_state]
        self.expand_proj = nn.Linear(d_model, 2 * inner, bias=False)
        self.conv1d = nn.Conv1d(inner, inner, d_conv, padding=d_conv - 1, groups=inner)
        self.x_proj = nn.Linear(inner, sum(self.sizes), bias=False)
        self.dt_proj = nn.Linear(self.sizes[0], inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1.0, d_state + 1)).repeat(inner, 1))
        self.D = nn.Parameter(torch.ones(inner))
        self.out_proj = nn.Linear(inner, d_model, bias=False)

    def forward(self, x):
        length = x.shape[1]
        u, z = torch.chunk(self.expand_proj(x), 2, dim=-1)
        u = self.conv1d(u.mT)[..., :length].mT
        u = F.silu(u)
        low, b, c = torch.split(self.x_proj(u), self.sizes, dim=-1)
        delta = F.softplus(self.dt_proj(low))
        y = course.selective_scan(u, delta, -torch.exp(self.A_log), b, c, self.D)
        return self.out_proj(y * F.silu(z))
