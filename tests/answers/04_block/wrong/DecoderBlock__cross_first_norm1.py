"""Cross-attention first, with norm1.

mistake: cross_attention_first_with_norm1
fails: no masks
"""

import torch
from torch import nn
from tformer_course.models import MultiHeadAttention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.norm3 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.cross_attn(self.norm1(x), context=memory, mask=memory_mask)
        x = x + self.self_attn(self.norm2(x), mask=self_mask)
        return x + self.ffn(self.norm3(x))
