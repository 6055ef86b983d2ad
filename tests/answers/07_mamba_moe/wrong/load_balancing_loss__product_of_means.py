"""Multiplies per token, and takes the mean then.

mistake: product_of_means
fails: an uneven load
"""


def load_balancing_loss(router_probs, indices, num_experts):
    hits = F.one_hot(indices, num_experts).to(router_probs.dtype)
    f = hits.flatten(0, 1).mean(0)
    p = router_probs.mean(0)
    return num_experts * (hits.mean(1) * router_probs).sum(1).mean()
