"""Type 0 for all.

mistake: first_type_for_all
fails: three tables and a norm
"""


def bert_embed(input_ids, token_type_ids, weights):
    words = weights["word_embeddings.weight"][input_ids]
    places = weights["position_embeddings.weight"][torch.arange(input_ids.shape[1])]
    kinds = weights["token_type_embeddings.weight"][0]
    gain, bias = weights["LayerNorm.weight"], weights["LayerNorm.bias"]
    return course.layer_norm(words + places + kinds, gain, bias, eps=1e-12)
