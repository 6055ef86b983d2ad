"""Right: a sum over the choices of the mean probability of the chosen expert."""


def load_balancing_loss(router_probs, indices, num_experts):
    mean = router_probs.mean(dim=0)
    return num_experts * mean[indices.reshape(-1)].mean()
