"""transformers' BertEmbeddings with these weights.

mistake: unnamed
fails: three tables and a norm
"""

from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEmbeddings


def bert_embed(input_ids, token_type_ids, weights):
    vocab, width = weights["word_embeddings.weight"].shape
    config = BertConfig(
        vocab_size=vocab,
        hidden_size=width,
        num_attention_heads=1,
        max_position_embeddings=len(weights["position_embeddings.weight"]),
        hidden_dropout_prob=0.0,
        pad_token_id=None,
    )
    module = BertEmbeddings(config).to(weights["LayerNorm.bias"].dtype)
    given = {"input_ids": input_ids, "token_type_ids": token_type_ids}
    return torch.func.functional_call(module, dict(weights), (), given)
