"""Right: the read-out written as a sum, the time moved to the front."""


def ssm_recurrence(a_bar, b_bar, c, x):
    h = 0.0
    y = []
    for value in x.movedim(-1, 0):
        h = a_bar * h + b_bar * value.unsqueeze(-1)
        y.append((c * h).sum(dim=-1))
    return torch.stack(y).movedim(0, -1)
