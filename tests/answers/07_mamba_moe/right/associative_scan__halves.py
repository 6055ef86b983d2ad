"""Right: two halves, each scanned by itself; the first half's end is carried into the second."""


def associative_scan(a, b):
    length = a.shape[1]
    size = 1 << max(0, (length - 1).bit_length())
    pad = list(a.shape)
    pad[1] = size - length
    a = torch.cat([a, a.new_ones(pad)], dim=1)
    b = torch.cat([b, b.new_zeros(pad)], dim=1)
    block = 1
    while block < size:  # blocks of `block` positions are scanned; join them two by two
        a = a.unflatten(1, (-1, 2, block))
        b = b.unflatten(1, (-1, 2, block))
        first_a, second_a = a[:, :, 0], a[:, :, 1]
        first_b, second_b = b[:, :, 0], b[:, :, 1]
        second_b = second_b + second_a * first_b[:, :, -1:]
        second_a = second_a * first_a[:, :, -1:]
        a = torch.stack([first_a, second_a], dim=2).flatten(1, 3)
        b = torch.stack([first_b, second_b], dim=2).flatten(1, 3)
        block *= 2
    return b[:, :length]
