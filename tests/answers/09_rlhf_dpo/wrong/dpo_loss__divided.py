"""Divides by β.

mistake: beta_divides
fails: β = 0.7
"""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    chosen = (policy_chosen - ref_chosen.detach()) / beta
    rejected = (policy_rejected - ref_rejected.detach()) / beta
    loss = -F.logsigmoid(chosen - rejected).mean()
    return loss, chosen.detach(), rejected.detach()
