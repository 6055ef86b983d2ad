"""Right: by the difference of log-ratios, softplus."""


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    with torch.no_grad():
        ref_margin = ref_chosen - ref_rejected
        chosen = beta * (policy_chosen - ref_chosen)
        rejected = beta * (policy_rejected - ref_rejected)
    margin = (policy_chosen - policy_rejected) - ref_margin
    return F.softplus(-beta * margin).mean(), chosen, rejected
