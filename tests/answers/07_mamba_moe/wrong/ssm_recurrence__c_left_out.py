"""The state is summed, not read with c.

mistake: c_left_out
fails: a batch of sequences
"""


def ssm_recurrence(a_bar, b_bar, c, x):
    h = torch.zeros(*x.shape[:-1], len(a_bar), dtype=x.dtype)
    outputs = []
    for t in range(x.shape[-1]):
        h = a_bar * h + b_bar * x[..., t, None]
        outputs.append(h.sum(-1))
    return torch.stack(outputs, dim=-1)
