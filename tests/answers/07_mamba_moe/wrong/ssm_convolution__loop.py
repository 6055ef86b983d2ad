"""The recurrence once more.

mistake: loop
fails: the right values by FFT, with a number of operations that does not grow with T
"""


def ssm_convolution(a_bar, b_bar, c, x):
    h = torch.zeros(*x.shape[:-1], len(a_bar), dtype=x.dtype)
    outputs = []
    for t in range(x.shape[-1]):
        h = a_bar * h + b_bar * x[..., t, None]
        outputs.append(h @ c)
    return torch.stack(outputs, dim=-1)
