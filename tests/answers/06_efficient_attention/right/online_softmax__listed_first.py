"""Right: the blocks are listed first, but each is used in its turn."""


def online_softmax(blocks):
    m = total = None
    for block in list(blocks):
        if m is None:
            m, total = torch.full_like(block[..., 0], -math.inf), torch.zeros_like(block[..., 0])
        new = torch.maximum(m, block.amax(-1))
        ref = new.masked_fill(new == -math.inf, 0.0)
        total = total * torch.exp(m - ref) + torch.exp(block - ref.unsqueeze(-1)).sum(-1)
        m = new
    return m, total
