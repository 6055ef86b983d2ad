"""No reference.

mistake: no_reference
fails: β = 0.7
"""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = beta * policy_chosen
    rejected = beta * policy_rejected
    loss = -F.logsigmoid(chosen - rejected).mean()
    return loss, chosen.detach(), rejected.detach()
