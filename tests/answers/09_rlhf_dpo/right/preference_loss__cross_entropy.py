"""Right: a choice between two classes."""


def preference_loss(chosen, rejected):
    both = torch.stack([chosen.flatten(), rejected.flatten()], dim=1)
    return F.cross_entropy(both, torch.zeros(len(both), dtype=torch.long))
