"""Right: rsqrt of the mean of x · x."""


def rms_norm(x, weight, eps=1e-6):
    mean_square = (x * x).mean(-1).unsqueeze(-1)
    return weight * x * torch.rsqrt(mean_square + eps)
