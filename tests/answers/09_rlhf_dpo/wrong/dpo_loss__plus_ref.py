"""The reference is added.

mistake: reference_added
fails: β = 0.7
"""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = beta * (policy_chosen + ref_chosen.detach())
    rejected = beta * (policy_rejected + ref_rejected.detach())
    loss = -F.logsigmoid(chosen - rejected).mean()
    return loss, chosen.detach(), rejected.detach()
