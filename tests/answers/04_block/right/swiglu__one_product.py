"""Right: both projections in one matrix product, then split."""


def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.cat([w_gate, w_up], dim=1)).chunk(2, dim=-1)
    return torch.einsum("...f,fc->...c", nn.SiLU()(gate) * up, w_down)
