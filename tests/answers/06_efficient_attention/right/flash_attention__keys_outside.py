"""Right: algorithm 1 of 2022: keys outside, states of all rows kept."""


def flash_attention(q, k, v, block_q, block_k, causal=False):
    T, S = q.shape[-2], k.shape[-2]
    starts = list(range(0, T, block_q))
    states = [None] * len(starts)
    for b in range(0, S, block_k):
        kb, vb = k[..., b : b + block_k, :], v[..., b : b + block_k, :]
        for n, a in enumerate(starts):
            qa = q[..., a : a + block_q, :]
            if causal and b > a + qa.shape[-2] - 1:
                continue
            s = torch.einsum("...td,...sd->...ts", qa, kb) * q.shape[-1] ** -0.5
            if causal:
                keep = torch.arange(a, a + qa.shape[-2])[:, None] >= torch.arange(b, b + kb.shape[-2])
                s = s.masked_fill(~keep, -math.inf)
            top = s.amax(-1, keepdim=True)
            if states[n] is None:
                m = top
                e = torch.exp(s - m)
                states[n] = (m, e.sum(-1, keepdim=True), e @ vb)
            else:
                m0, l0, o0 = states[n]
                m = torch.maximum(m0, top)
                e, c = torch.exp(s - m), torch.exp(m0 - m)
                states[n] = (m, l0 * c + e.sum(-1, keepdim=True), o0 * c + e @ vb)
    output = torch.cat([o / l for m, l, o in states], dim=-2)
    return output, torch.cat([(m + l.log()).squeeze(-1) for m, l, o in states], dim=-1)
