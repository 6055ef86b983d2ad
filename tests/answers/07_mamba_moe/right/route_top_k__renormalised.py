"""Right: a softmax over all, renormalised over the chosen; the smallest weight first."""


def route_top_k(logits, k):
    indices = logits.argsort(dim=-1)[..., -k:]
    log_p = torch.log_softmax(logits, dim=-1).gather(-1, indices)
    return torch.exp(log_p - torch.logsumexp(log_p, dim=-1, keepdim=True)), indices
