"""Right: einsum."""


def linformer_attention(q, k, v, e, f):
    scores = torch.einsum("...td,rs,...sd->...tr", q / math.sqrt(q.shape[-1]), e, k)
    return torch.einsum("...tr,rs,...sv->...tv", torch.softmax(scores, -1), f, v)
