"""A Python number: no gradient.

mistake: unnamed
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return torch.tensor((-F.logsigmoid(chosen - rejected)).mean().item(), dtype=chosen.dtype)
