"""Right: a softmax per tile, merged by logsumexp."""


def flash_attention(q, k, v, block_q, block_k, causal=False):
    T, S = q.shape[-2], k.shape[-2]
    outs, sums = [], []
    for a in range(0, T, block_q):
        rows = q[..., a : a + block_q, :]
        out = lse = None
        for b in range(0, S, block_k):
            if causal and b > a + block_q - 1:
                continue
            scores = rows @ k[..., b : b + block_k, :].mT / math.sqrt(q.shape[-1])
            if causal:
                i = torch.arange(a, a + scores.shape[-2]).unsqueeze(-1)
                j = torch.arange(b, b + scores.shape[-1])
                hidden = j > i
                nothing = hidden.all(-1, keepdim=True)
                scores = scores.masked_fill(hidden & ~nothing, -math.inf).masked_fill(nothing, -1e4)
            part = torch.softmax(scores, -1) @ v[..., b : b + block_k, :]
            part_lse = torch.logsumexp(scores, -1)
            if out is None:
                out, lse = part, part_lse
            else:
                both = torch.logaddexp(lse, part_lse)
                out = out * torch.exp(lse - both).unsqueeze(-1) + part * torch.exp(part_lse - both).unsqueeze(-1)
                lse = both
        outs.append(out)
        sums.append(lse)
    return torch.cat(outs, -2), torch.cat(sums, -1)
