"""The kernel has no c.

mistake: c_left_out
fails: a batch of sequences
"""


def ssm_convolution(a_bar, b_bar, c, x):
    n = x.shape[-1]
    powers = a_bar.unsqueeze(-1) ** torch.arange(n, dtype=x.dtype)
    kernel = (b_bar.unsqueeze(-1) * powers).sum(0)
    size = 2 * n
    spectrum = torch.fft.rfft(kernel, n=size) * torch.fft.rfft(x, n=size)
    return torch.fft.irfft(spectrum, n=size)[..., :n]
