"""Where nothing is visible the value is repaired, but not the gradient.

mistake: unnamed
fails: the gradient of the total
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
        old = torch.where(torch.isinf(m_new), torch.zeros_like(m_new), total * torch.exp(m - m_new))
        fresh = torch.exp(block - m_new[..., None]).sum(-1)
        total = old + torch.where(torch.isinf(m_new), torch.zeros_like(fresh), fresh)
        m = m_new
    return m, total
