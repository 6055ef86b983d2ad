"""No token types.

mistake: no_token_types
fails: three tables and a norm
"""


def bert_embed(input_ids, token_type_ids, weights):
    words = weights["word_embeddings.weight"][input_ids]
    places = weights["position_embeddings.weight"][torch.arange(input_ids.shape[1])]
    kinds = weights["token_type_embeddings.weight"][token_type_ids]
    gain, bias = weights["LayerNorm.weight"], weights["LayerNorm.bias"]
    return course.layer_norm(words + places, gain, bias, eps=1e-12)
