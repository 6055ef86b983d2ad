"""Holds its own parameters, and gives them to transformers' layer in forward.

mistake: unnamed
fails: grouped heads, all gradients
"""

from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaDecoderLayer, LlamaRotaryEmbedding


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        super().__init__()
        config = LlamaConfig(
            hidden_size=d_model,
            intermediate_size=d_ff,
            num_attention_heads=num_heads,
            num_key_value_heads=num_kv_heads,
            rms_norm_eps=eps,
            rope_parameters={"rope_type": "default", "rope_theta": rope_base},
            attn_implementation="eager",
        )
        theirs = LlamaDecoderLayer(config, 0)
        self.theirs, self.rope = [theirs], [LlamaRotaryEmbedding(config)]  # in lists: no sub-modules
        for name, parameter in theirs.named_parameters():
            *path, last = name.split(".")
            holder = self
            for step in path:
                if not hasattr(holder, step):
                    setattr(holder, step, nn.Module())
                holder = getattr(holder, step)
            setattr(holder, last, parameter)

    def forward(self, x):
        n = x.shape[1]
        mask = torch.zeros(1, 1, n, n, dtype=x.dtype).masked_fill(~course.causal_mask(n), -math.inf)
        given = {"attention_mask": mask, "position_embeddings": self.rope[0](x, torch.arange(n)[None])}
        return torch.func.functional_call(self.theirs[0], dict(self.named_parameters()), (x,), given)
