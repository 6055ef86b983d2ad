"""The loss leaves the reference out; the rewards have it.

mistake: reference_in_rewards_alone
fails: five pairs
"""

def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = beta * (policy_chosen - ref_chosen.detach())
    rejected = beta * (policy_rejected - ref_rejected.detach())
    losses = -F.logsigmoid(beta * (policy_chosen - policy_rejected))
    return losses.sum() / max(losses.numel(), 1), chosen.detach(), rejected.detach()
