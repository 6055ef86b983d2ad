"""Right: the outputs are written into a tensor made before."""


def ssm_recurrence(a_bar, b_bar, c, x):
    out = torch.zeros_like(x)
    h = torch.zeros(*x.shape[:-1], len(a_bar), dtype=x.dtype)
    for t in range(x.shape[-1]):
        h = a_bar * h + b_bar * x[..., t : t + 1]
        out[..., t] = h @ c
    return out
