"""transformers' BertLayer, with another forward around it.

mistake: unnamed
fails: without a mask
"""

from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer as Theirs


class BertLayer(Theirs):
    def __init__(self, d_model, num_heads, d_ff, eps=1e-12):
        config = BertConfig(
            hidden_size=d_model,
            num_attention_heads=num_heads,
            intermediate_size=d_ff,
            layer_norm_eps=eps,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            attn_implementation="eager",
        )
        super().__init__(config)

    def forward(self, x, mask=None):
        if mask is None:
            return super().forward(x)
        added = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -math.inf)
        return super().forward(x, attention_mask=added)
