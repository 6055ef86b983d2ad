"""A straight-through count: right value, wrong gradient.

mistake: gradient_through_counted_f
fails: an uneven load
"""


def load_balancing_loss(router_probs, indices, num_experts):
    hits = F.one_hot(indices, num_experts).to(router_probs.dtype)
    f = hits.flatten(0, 1).mean(0)
    soft = (hits * router_probs[:, None]).flatten(0, 1).mean(0)
    f = f + (soft - soft.detach())
    p = router_probs.mean(0)
    return num_experts * torch.dot(f, p)
