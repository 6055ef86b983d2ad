"""Right: log(1 + e^−x) without a large exponential."""


def preference_loss(chosen, rejected):
    x = chosen - rejected
    return (torch.relu(-x) + torch.log1p(torch.exp(-x.abs()))).mean()
