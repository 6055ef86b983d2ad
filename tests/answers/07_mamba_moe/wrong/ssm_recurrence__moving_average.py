"""An exponential moving average.

mistake: moving_average
fails: a batch of sequences
"""


def ssm_recurrence(a_bar, b_bar, c, x):
    h = torch.zeros(*x.shape[:-1], len(a_bar), dtype=x.dtype)
    outputs = []
    for t in range(x.shape[-1]):
        h = a_bar * h + (1 - a_bar) * b_bar * x[..., t, None]
        outputs.append(h @ c)
    return torch.stack(outputs, dim=-1)
