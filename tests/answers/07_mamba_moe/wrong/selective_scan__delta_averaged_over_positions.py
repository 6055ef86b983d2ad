"""One mean step size for all positions.

mistake: delta_averaged_over_positions
fails: two sequences
"""

def selective_scan(x, delta, a, b, c, d):
    delta = delta.mean(1, keepdim=True).expand_as(delta)
    B, T, C = x.shape
    h = x.new_zeros(B, C, a.shape[1])
    ys = []
    for t in range(T):
        decay = torch.exp(delta[:, t, :, None] * a)
        h = decay * h + (delta[:, t] * x[:, t])[..., None] * b[:, t, None, :]
        ys.append((h * c[:, t, None, :]).sum(-1))
    return torch.stack(ys, 1) + d * x
