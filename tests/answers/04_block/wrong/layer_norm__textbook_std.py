"""x.std(-1) plus eps, as in many blog posts: unbiased and eps outside.

mistake: unbiased_and_eps_outside
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.std(dim=-1, keepdim=True)
    normal = (x - mean) / (variance + eps)
    return normal * weight + bias
