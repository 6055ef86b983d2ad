"""Right: GELU written with erf."""


def feed_forward(x, w_in, b_in, w_out, b_out):
    hidden = torch.matmul(x, w_in) + b_in
    hidden = 0.5 * hidden * (1 + torch.erf(hidden / 2**0.5))
    return torch.matmul(hidden, w_out) + b_out
