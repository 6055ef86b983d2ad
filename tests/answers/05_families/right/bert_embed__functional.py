"""Right: F.embedding and F.layer_norm."""


def bert_embed(input_ids, token_type_ids, weights):
    rows, length = input_ids.shape
    positions = torch.arange(length).expand(rows, length)
    total = F.embedding(input_ids, weights["word_embeddings.weight"])
    total = total + F.embedding(token_type_ids, weights["token_type_embeddings.weight"])
    total = total + F.embedding(positions, weights["position_embeddings.weight"])
    width = total.shape[-1]
    return F.layer_norm(total, (width,), weights["LayerNorm.weight"], weights["LayerNorm.bias"], 1e-12)
