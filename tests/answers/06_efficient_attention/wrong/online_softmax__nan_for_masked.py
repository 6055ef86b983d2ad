"""−inf − (−inf).

mistake: nan_for_masked
fails: rows of −inf alone
"""


def online_softmax(blocks):
    m, total = None, None
    for block in blocks:
        top = block.max(dim=-1).values
        if m is None:
            m_new = top
            total = torch.zeros_like(top)
            m = torch.full_like(top, -math.inf)
        else:
            m_new = torch.maximum(m, top)
        ref = m_new
        total = total * torch.exp(m - ref) + torch.exp(block - ref[..., None]).sum(-1)
        m = m_new
    return m, total
