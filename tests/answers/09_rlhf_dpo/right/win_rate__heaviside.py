"""Right: the step function that is one half at zero."""


def win_rate(a, b):
    return torch.heaviside((a - b).double(), torch.tensor(0.5, dtype=torch.float64)).mean()
