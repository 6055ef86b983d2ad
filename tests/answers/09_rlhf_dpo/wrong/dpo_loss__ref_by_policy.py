"""Reference by policy.

mistake: ratio_inverted
fails: β = 0.7
"""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = beta * (ref_chosen.detach() - policy_chosen)
    rejected = beta * (ref_rejected.detach() - policy_rejected)
    loss = -F.logsigmoid(chosen - rejected).mean()
    return loss, chosen.detach(), rejected.detach()
