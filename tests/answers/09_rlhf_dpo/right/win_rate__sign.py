"""Right: by the sign of the difference."""


def win_rate(a, b):
    return float((1 + torch.sign(a - b).double()).mean() / 2)
