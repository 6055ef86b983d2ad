"""The rewards are the log-ratios of the two answers, of policy and reference.

mistake: paired_by_model
fails: β = 0.05
"""


def dpo_loss(
    policy_chosen: Tensor, policy_rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor, beta: float
) -> tuple[Tensor, Tensor, Tensor]:
    policy = beta * (policy_chosen - policy_rejected)
    ref = beta * (ref_chosen - ref_rejected).detach()
    return -F.logsigmoid(policy - ref).mean(), policy.detach(), ref
