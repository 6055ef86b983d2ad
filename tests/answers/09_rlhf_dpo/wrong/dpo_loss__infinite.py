"""log of a sigmoid that is 0.

mistake: overflow
fails: a thousand
"""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = beta * (policy_chosen - ref_chosen.detach())
    rejected = beta * (policy_rejected - ref_rejected.detach())
    loss = -torch.log(torch.sigmoid(chosen - rejected)).mean()
    return loss, chosen.detach(), rejected.detach()
