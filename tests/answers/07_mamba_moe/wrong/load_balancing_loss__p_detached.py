"""Detaches the wrong factor.

mistake: p_detached
fails: an uneven load
"""


def load_balancing_loss(router_probs, indices, num_experts):
    hits = F.one_hot(indices, num_experts).to(router_probs.dtype)
    f = hits.flatten(0, 1).mean(0)
    p = router_probs.detach().mean(0)
    return num_experts * torch.dot(f, p)
