"""Right: binary cross-entropy with logits."""


def preference_loss(chosen, rejected):
    margin = chosen - rejected
    return F.binary_cross_entropy_with_logits(margin, torch.ones_like(margin))
