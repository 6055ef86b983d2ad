"""A tile holds all keys: block_k is not used.

mistake: block_k_ignored
fails: blocks of 512 and 32
"""


def flash_attention(q, k, v, block_q, block_k, causal=False):
    T, S = q.shape[-2], k.shape[-2]
    block_k = S
    outputs, sums = [], []
    for a in range(0, T, block_q):
        rows = q[..., a : a + block_q, :] / math.sqrt(q.shape[-1])
        m = torch.full_like(rows[..., :1], -math.inf)
        total, out = torch.zeros_like(m), 0.0
        for b in range(0, S, block_k):
            if causal and b > a + block_q - 1:
                break
            s = rows @ k[..., b : b + block_k, :].transpose(-2, -1)
            if causal:
                ahead = torch.arange(a, a + s.shape[-2])[:, None] < torch.arange(b, b + s.shape[-1])
                s = s.masked_fill(ahead, -math.inf)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            weights, shrink = torch.exp(s - new), torch.exp(m - new)
            total = total * shrink + weights.sum(-1, keepdim=True)
            out = out * shrink + weights @ v[..., b : b + block_k, :]
            m = new
        outputs.append(out / total)
        sums.append((m + total.log()).squeeze(-1))
    return torch.cat(outputs, -2), torch.cat(sums, -1)
