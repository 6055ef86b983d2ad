"""Right: one query at a time; the softmax sees only the keys that are allowed."""


def scaled_dot_product_attention(q, k, v, mask=None):
    lead, t, s, d = q.shape[:-2], q.shape[-2], k.shape[-2], q.shape[-1]
    queries, keys, values = q.reshape(-1, t, d), k.reshape(-1, s, d), v.reshape(-1, s, v.shape[-1])
    allowed = torch.ones(1, dtype=torch.bool, device=q.device) if mask is None else mask
    allowed = allowed.expand(*lead, t, s).reshape(-1, t, s)
    rows = []
    for b in range(queries.shape[0]):
        for i in range(t):
            row = q.new_zeros(s)
            kept = allowed[b, i].nonzero().flatten()
            if len(kept):
                scores = keys[b, kept].mv(queries[b, i]).div(math.sqrt(d))
                row = row.index_put((kept,), scores.softmax(0))
            rows.append(row)
    weights = torch.stack(rows).reshape(-1, t, s)
    output = torch.bmm(weights, values)
    return output.reshape(*lead, t, v.shape[-1]), weights.reshape(*lead, t, s)
