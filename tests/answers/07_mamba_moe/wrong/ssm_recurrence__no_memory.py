"""The state is made anew at each position.

mistake: no_memory
fails: a batch of sequences
"""


def ssm_recurrence(a_bar, b_bar, c, x):
    h = torch.zeros(*x.shape[:-1], len(a_bar), dtype=x.dtype)
    outputs = []
    for t in range(x.shape[-1]):
        h = b_bar * x[..., t, None]
        outputs.append(h @ c)
    return torch.stack(outputs, dim=-1)
