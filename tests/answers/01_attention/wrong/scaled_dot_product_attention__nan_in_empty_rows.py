"""The textbook line: a row that may attend to nothing is 0/0.

mistake: nan_in_empty_rows
fails: a query without any key gives zeros
"""


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
