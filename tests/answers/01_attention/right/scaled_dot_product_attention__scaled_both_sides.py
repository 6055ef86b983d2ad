"""Right: query and key each divided by the fourth root of d; in float64 inside, and cast back; a list comes back."""


def scaled_dot_product_attention(q, k, v, mask=None):
    root = k.shape[-1] ** 0.25
    scores = (q.double() / root) @ (k.double() / root).swapaxes(-2, -1)
    if mask is not None:
        # exp(min − anything real) is exactly 0; the product with the mask empties the rows that have no key.
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
    return [(weights @ v.double()).to(v.dtype), weights.to(q.dtype)]
