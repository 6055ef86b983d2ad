"""Right: the complex transform, and a power of 2 as length."""


def ssm_convolution(a_bar, b_bar, c, x):
    n = x.shape[-1]
    size = 1 << (2 * n - 1).bit_length()
    exponents = torch.arange(n).to(a_bar.dtype)
    kernel = torch.einsum("n,nt->t", c * b_bar, torch.exp(torch.log(a_bar)[:, None] * exponents))
    product = torch.fft.fft(kernel, size) * torch.fft.fft(x, size)
    return torch.fft.ifft(product).real[..., :n]
