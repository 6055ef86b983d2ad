"""Only the reference is detached, not the old maximum.

mistake: reference_detached
fails: with gradients
"""


def online_softmax(blocks):
    m = total = None
    for block in blocks:
        top = block.amax(-1)
        new = top if m is None else torch.maximum(m, top)
        ref = new.masked_fill(new == -math.inf, 0.0).detach()
        fresh = torch.exp(block - ref.unsqueeze(-1)).sum(-1)
        total = fresh if total is None else total * torch.exp(m - ref) + fresh
        m = new
    return m, total
