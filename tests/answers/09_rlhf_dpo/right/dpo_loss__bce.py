"""Right: binary cross-entropy with logits."""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = (policy_chosen - ref_chosen.detach()) * beta
    rejected = (policy_rejected - ref_rejected.detach()) * beta
    margin = chosen - rejected
    loss = F.binary_cross_entropy_with_logits(margin, torch.ones_like(margin))
    return [loss, chosen.detach(), rejected.detach()]
