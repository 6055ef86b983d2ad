"""Counts the first choice alone, as with k = 1.

mistake: first_choice_only
fails: an uneven load
"""


def load_balancing_loss(router_probs, indices, num_experts):
    hits = F.one_hot(indices, num_experts).to(router_probs.dtype)
    f = hits[:, 0].mean(0)
    p = router_probs.mean(0)
    return num_experts * torch.dot(f, p)
