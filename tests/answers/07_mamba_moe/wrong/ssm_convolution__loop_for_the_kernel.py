"""The kernel entry by entry, then the FFT.

mistake: loop_for_the_kernel
fails: the right values by FFT, with a number of operations that does not grow with T
"""


def ssm_convolution(a_bar, b_bar, c, x):
    n = x.shape[-1]
    kernel = torch.stack([torch.sum(c * a_bar**k * b_bar) for k in range(n)])
    size = 2 * n
    spectrum = torch.fft.rfft(kernel, n=size) * torch.fft.rfft(x, n=size)
    return torch.fft.irfft(spectrum, n=size)[..., :n]
