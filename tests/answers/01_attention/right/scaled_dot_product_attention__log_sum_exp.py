"""Right: weights as exp(score − logsumexp), broadcast products and sums in place of matrix products."""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1).div(math.sqrt(q.size(-1)))
    if mask is None:
        mask = scores.new_ones((), dtype=torch.bool)
    mask = torch.broadcast_to(mask, scores.shape)
    empty = mask.logical_not().all(dim=-1, keepdim=True)
    scores = scores.masked_fill(mask.logical_or(empty).logical_not(), -torch.inf)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True)).masked_fill(empty, 0.0)
    output = (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2)
    return output, weights
