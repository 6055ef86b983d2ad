"""Right: query and key side by side, times one stacked matrix, as Bahdanau's alignment model is often drawn."""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    n = keys.shape[1]
    both = torch.cat([query.unsqueeze(1).expand(-1, n, -1), keys], dim=2)  # (B, n, d_q + d_k)
    scores = F.linear(both, torch.cat([w_query, w_key], dim=0).T).tanh().matmul(v)
    if mask is None:
        weights = F.softmax(scores, dim=1)
    else:
        # Every entry of an empty row is masked, so its NaN ends here and does not come back in the gradient.
        weights = F.softmax(scores.masked_fill(mask.logical_not(), float("-inf")), dim=1).nan_to_num(nan=0.0)
    context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)
    return [context, weights]
