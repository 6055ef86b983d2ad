"""Nothing is rescaled, and the maximum is detached.

mistake: no_rescaling
fails: blocks that fit
"""

def flash_attention(q, k, v, block_q, block_k, causal=False):
    T, S, scale = q.shape[-2], k.shape[-2], q.shape[-1] ** -0.5
    outs, logs = [], []
    for qs in range(0, T, block_q):
        qb = q[..., qs:qs + block_q, :]
        rows = torch.arange(qs, qs + qb.shape[-2], device=q.device)[:, None]
        m = q.new_full(qb.shape[:-1], float("-inf"))
        l = q.new_zeros(qb.shape[:-1])
        acc = q.new_zeros(*qb.shape[:-1], v.shape[-1])
        for ks in range(0, S, block_k):
            if causal and ks > qs + qb.shape[-2] - 1:
                break
            kb, vb = k[..., ks:ks + block_k, :], v[..., ks:ks + block_k, :]
            s = qb @ kb.transpose(-1, -2) * scale
            if causal:
                cols = torch.arange(ks, ks + kb.shape[-2], device=q.device)
                s = s.masked_fill(cols > rows, float("-inf"))
            new = torch.maximum(m, s.amax(-1)).detach()
            safe = torch.where(new.isinf(), torch.zeros_like(new), new)
            p = torch.exp(s - safe[..., None])
            shrink = torch.ones_like(safe)
            l = l * shrink + p.sum(-1)
            acc = acc * shrink[..., None] + p @ vb
            m = new
        dead = l == 0
        ok = torch.where(dead, torch.ones_like(l), l)
        outs.append(acc / ok[..., None])
        logs.append(torch.where(dead, torch.full_like(l, float("-inf")), m + ok.log()))
    return torch.cat(outs, -2), torch.cat(logs, -1)
