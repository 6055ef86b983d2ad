"""Right: keys and values unfolded into windows, padded on the left."""


def sliding_window_attention(q, k, v, window):
    T = q.shape[-2]
    window = min(window, T)
    keys = F.pad(k, (0, 0, window - 1, 0)).unfold(-2, window, 1)  # (…, T, D, w)
    values = F.pad(v, (0, 0, window - 1, 0)).unfold(-2, window, 1)  # (…, T, V, w)
    scores = (q.unsqueeze(-1) * keys).sum(-2) / math.sqrt(q.shape[-1])  # (…, T, w)
    position = torch.arange(T)[:, None] - torch.arange(window - 1, -1, -1)[None, :]
    weights = torch.softmax(scores.masked_fill(position < 0, -math.inf), dim=-1)
    return (weights.unsqueeze(-2) * values).sum(-1)
