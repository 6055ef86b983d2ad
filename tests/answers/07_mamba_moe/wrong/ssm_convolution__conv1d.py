"""torch's convolution instead of the FFT.

mistake: no_fft
fails: the right values by FFT, with a number of operations that does not grow with T
"""


def ssm_convolution(a_bar, b_bar, c, x):
    n = x.shape[-1]
    kernel = (c * b_bar) @ a_bar[:, None] ** torch.arange(n, dtype=x.dtype)
    rows = x.reshape(-1, 1, n)
    return F.conv1d(F.pad(rows, (n - 1, 0)), kernel.flip(0)[None, None])[:, 0].reshape(x.shape)
