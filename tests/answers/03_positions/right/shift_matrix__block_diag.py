"""A list of blocks and torch.block_diag.
"""

def shift_matrix(offset, d, base=10000.0):
    blocks = []
    for i in range(d // 2):
        a = torch.tensor(offset * base ** (-2 * i / d))
        blocks.append(torch.stack([torch.stack([a.cos(), a.sin()]), torch.stack([-a.sin(), a.cos()])]))
    return torch.block_diag(*blocks)
