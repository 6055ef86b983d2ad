"""Right: a loop over the blocks of a grid of token numbers."""


def window_mask_3d(shape, window):
    grid = torch.arange(math.prod(shape)).view(*shape)
    m = torch.zeros(grid.numel(), grid.numel(), dtype=torch.bool)
    for a in range(0, shape[0], window[0]):
        for b in range(0, shape[1], window[1]):
            for c in range(0, shape[2], window[2]):
                ids = grid[a:a + window[0], b:b + window[1], c:c + window[2]].flatten()
                m[ids[:, None], ids] = True
    return m
