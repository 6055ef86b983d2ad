"""Right: the length of the vector over the root of C."""


def rms_norm(x, weight, eps=1e-6):
    squares = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 if not x.requires_grad else (x * x).sum(-1, keepdim=True)
    return weight * (x / torch.sqrt(squares / x.shape[-1] + eps))
