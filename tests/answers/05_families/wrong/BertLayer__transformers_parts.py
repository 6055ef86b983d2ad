"""The attention by hand; what follows it is transformers' BertSelfOutput, BertIntermediate and BertOutput.

mistake: unnamed
fails: without a mask
"""

from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertIntermediate, BertOutput, BertSelfOutput


class BertLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, eps=1e-12):
        super().__init__()
        config = BertConfig(
            hidden_size=d_model,
            num_attention_heads=num_heads,
            intermediate_size=d_ff,
            layer_norm_eps=eps,
            hidden_dropout_prob=0.0,
        )
        self.num_heads = num_heads
        self.attention = nn.Module()
        self.attention.self = nn.ModuleDict({name: nn.Linear(d_model, d_model) for name in ("query", "key", "value")})
        self.attention.output = BertSelfOutput(config)
        self.intermediate, self.output = BertIntermediate(config), BertOutput(config)

    def forward(self, x, mask=None):
        q, k, v = (course.split_heads(self.attention.self[n](x), self.num_heads) for n in ("query", "key", "value"))
        mixed, _ = course.scaled_dot_product_attention(q, k, v, mask)
        x = self.attention.output(course.merge_heads(mixed), x)
        return self.output(self.intermediate(x), x)
