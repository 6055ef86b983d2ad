"""Right: unsorted choices, and the softmax written out with its largest logit taken away."""


def route_top_k(logits, k):
    v, i = torch.topk(logits, k, dim=-1, sorted=False)
    v = v - v.amax(-1, keepdim=True)
    return v.exp() / v.exp().sum(-1, keepdim=True), i
