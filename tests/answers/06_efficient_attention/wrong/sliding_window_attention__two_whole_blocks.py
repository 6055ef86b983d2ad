"""All of the block before is visible.

mistake: two_whole_blocks
fails: ten tokens, window 3
"""


def sliding_window_attention(q, k, v, window):
    T, D = q.shape[-2], q.shape[-1]
    block = min(window, T)
    out = []
    for a in range(0, T, block):
        b = min(a + block, T)
        lo = max(0, a - block)
        s = q[..., a:b, :] @ k[..., lo:b, :].transpose(-2, -1) / D**0.5
        dist = torch.arange(a, b)[:, None] - torch.arange(lo, b)[None, :]
        s = s.masked_fill(dist < 0, float("-inf"))
        out.append(s.softmax(dim=-1) @ v[..., lo:b, :])
    return torch.cat(out, dim=-2)
