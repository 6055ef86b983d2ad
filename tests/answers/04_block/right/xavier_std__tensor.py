"""Right: a tensor with one entry."""


def xavier_std(fan_in, fan_out):
    return torch.tensor(2.0 / (fan_in + fan_out)).sqrt()
