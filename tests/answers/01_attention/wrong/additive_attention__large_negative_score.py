"""Uses −1e9 for −inf: where all keys are masked the weights are uniform and not zero.

mistake: large_negative_score
fails: a row without any position gives zeros
"""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query)[:, None] + keys @ w_key) @ v
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return (weights[:, None] @ values).squeeze(1), weights
