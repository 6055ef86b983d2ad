"""Right: SiLU written out."""


def swiglu(x, w_gate, w_up, w_down):
    g, u = x @ w_gate, x @ w_up
    return (g * torch.sigmoid(g) * u) @ w_down
