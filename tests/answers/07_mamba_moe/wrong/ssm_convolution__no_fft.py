"""A T × T matrix of kernel entries.

mistake: no_fft
fails: the right values by FFT, with a number of operations that does not grow with T
"""


def ssm_convolution(a_bar, b_bar, c, x):
    n = x.shape[-1]
    kernel = (c * b_bar) @ a_bar[:, None] ** torch.arange(n, dtype=x.dtype)
    lag = torch.arange(n)[:, None] - torch.arange(n)
    matrix = torch.where(lag >= 0, kernel[lag.clamp(min=0)], torch.zeros((), dtype=x.dtype))
    return x @ matrix.T
