"""Right: one-hot products, and the norm written out."""


def bert_embed(input_ids, token_type_ids, weights):
    words, places, kinds = (weights[f"{n}_embeddings.weight"] for n in ("word", "position", "token_type"))
    x = F.one_hot(input_ids, len(words)).to(words.dtype) @ words + places[: input_ids.shape[-1]]
    x = x + F.one_hot(token_type_ids, len(kinds)).to(words.dtype) @ kinds
    variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return (x - mean) / (variance + 1e-12).sqrt() * weights["LayerNorm.weight"] + weights["LayerNorm.bias"]
