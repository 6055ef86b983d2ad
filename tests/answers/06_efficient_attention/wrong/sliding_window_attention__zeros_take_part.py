"""Zero keys before the first token take part.

mistake: zeros_take_part
fails: ten tokens, window 3
"""


def sliding_window_attention(q, k, v, window):
    keys = F.pad(k, (0, 0, window - 1, 0)).unfold(-2, window, 1)
    values = F.pad(v, (0, 0, window - 1, 0)).unfold(-2, window, 1)
    weights = torch.softmax((q.unsqueeze(-1) * keys).sum(-2) / math.sqrt(q.shape[-1]), dim=-1)
    return (weights.unsqueeze(-2) * values).sum(-1)
