"""The input enters as it is.

mistake: b_left_out
fails: a batch of sequences
"""


def ssm_recurrence(a_bar, b_bar, c, x):
    h = torch.zeros(*x.shape[:-1], len(a_bar), dtype=x.dtype)
    outputs = []
    for t in range(x.shape[-1]):
        h = a_bar * h + x[..., t, None]
        outputs.append(h @ c)
    return torch.stack(outputs, dim=-1)
