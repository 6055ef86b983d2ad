"""transformers' LlamaDecoderLayer, with another forward around it.

mistake: unnamed
fails: grouped heads, all gradients
"""

from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaDecoderLayer, LlamaRotaryEmbedding


class LlamaBlock(LlamaDecoderLayer):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        config = LlamaConfig(
            hidden_size=d_model,
            intermediate_size=d_ff,
            num_attention_heads=num_heads,
            num_key_value_heads=num_kv_heads,
            rms_norm_eps=eps,
            rope_parameters={"rope_type": "default", "rope_theta": rope_base},
            attn_implementation="eager",
        )
        super().__init__(config, 0)
        self.rope = LlamaRotaryEmbedding(config)

    def forward(self, x):
        n = x.shape[1]
        mask = torch.zeros(1, 1, n, n, dtype=x.dtype).masked_fill(~course.causal_mask(n), -math.inf)
        return super().forward(x, attention_mask=mask, position_embeddings=self.rope(x, torch.arange(n)[None]))
