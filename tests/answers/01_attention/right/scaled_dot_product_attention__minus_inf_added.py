"""Right: a bias of 0 and −inf is added; empty rows get no −inf, and are multiplied by zero in the end."""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-1, -2)) * (1 / math.sqrt(q.shape[-1]))
    if mask is None:
        weights = torch.softmax(scores, -1)
        return torch.matmul(weights, v), weights
    some = mask.any(-1, keepdim=True)
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(some & ~mask, -math.inf)
    weights = torch.softmax(scores + bias, -1) * some
    return torch.matmul(weights, v), weights
