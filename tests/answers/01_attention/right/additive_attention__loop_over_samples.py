"""Right: one sample and one key at a time; softmax runs over the keys that are allowed and looks at no other."""


def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
    contexts, all_weights = [], []
    for b in range(query.shape[0]):
        n = keys.shape[1]
        allowed = [i for i in range(n) if mask is None or bool(mask[b, i])]
        weights = [torch.zeros((), dtype=query.dtype, device=query.device)] * n
        if allowed:
            scores = [torch.dot(torch.tanh(query[b] @ w_query + keys[b, i] @ w_key), v) for i in allowed]
            for i, weight in zip(allowed, torch.softmax(torch.stack(scores), dim=0), strict=True):
                weights[i] = weight
        all_weights.append(torch.stack(weights))
        contexts.append(sum(weights[i] * values[b, i] for i in range(n)))
    return torch.stack(contexts), torch.stack(all_weights)
