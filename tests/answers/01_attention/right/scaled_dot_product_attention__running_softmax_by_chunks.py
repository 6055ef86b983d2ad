"""Right: keys in chunks of three, with a running maximum and a running sum, as FlashAttention does it."""


def scaled_dot_product_attention(q, k, v, mask=None):
    scale = q.shape[-1] ** -0.5
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])
    top = torch.full_like(q[..., :1], torch.finfo(q.dtype).min)
    total, output, shares = 0.0, 0.0, []
    for start in range(0, k.shape[-2], 3):
        keys, values = k[..., start : start + 3, :], v[..., start : start + 3, :]
        scores = scale * q @ keys.mT
        if mask is not None:
            scores = torch.where(mask[..., start : start + 3], scores, scores.new_tensor(-math.inf))
        higher = torch.maximum(top, scores.amax(-1, keepdim=True))
        shrink = (top - higher).exp()
        part = (scores - higher).exp()
        shares = [old * shrink for old in shares] + [part]
        total = total * shrink + part.sum(-1, keepdim=True)
        output = output * shrink + part @ values
        top = higher
    some = total > 0
    total = torch.where(some, total, 1.0)
    return output / total, torch.cat(shares, dim=-1) / total
