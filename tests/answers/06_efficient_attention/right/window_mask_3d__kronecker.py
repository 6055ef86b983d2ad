"""Right: Kronecker product of three masks."""


def window_mask_3d(shape, window):
    def one_axis(n, w):
        block = torch.arange(n) // w
        return (block[:, None] == block[None, :]).long()

    a, b, c = (one_axis(n, w) for n, w in zip(shape, window))
    return torch.kron(torch.kron(a, b), c).bool()
