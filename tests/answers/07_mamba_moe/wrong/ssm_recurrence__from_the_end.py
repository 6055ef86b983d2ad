"""The loop runs from the end.

mistake: from_the_end
fails: one sequence
"""

def ssm_recurrence(a_bar, b_bar, c, x):
    h = x.new_zeros(*x.shape[:-1], a_bar.shape[0])
    out = []
    for t in reversed(range(x.shape[-1])):
        h = a_bar * h + b_bar * x[..., t, None]
        out.append((h * c).sum(-1))
    return torch.stack(out, -1) if out else x
