"""bincount without minlength: fails where the last expert is idle.

mistake: unnamed
fails: an uneven load
"""


def load_balancing_loss(router_probs, indices, num_experts):
    f = torch.bincount(indices.flatten()).to(router_probs.dtype) / indices.numel()
    p = router_probs.mean(0)
    return num_experts * torch.dot(f, p)
