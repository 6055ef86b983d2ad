"""With post-norm nothing is dropped.

mistake: drop_path_ignored_in_post_norm
fails: a
"""

import torch
from torch import nn
from tformer_course.models import MultiHeadAttention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, norm="pre", drop_path=0.0):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f"norm must be 'pre' or 'post', not {norm!r}")
        self.norm, self.p = norm, drop_path
        self.norm1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
    def _drop(self, y):
        if not self.training or self.p == 0:
            return y
        if self.p >= 1:
            return torch.zeros_like(y)
        keep = torch.rand(y.shape[0], 1, 1, dtype=y.dtype, device=y.device) >= self.p
        return torch.where(keep, y / (1 - self.p), torch.zeros_like(y))
    def _attend(self, x, mask):
        out = self.attn(x, mask=mask)
        return out[0] if isinstance(out, tuple) else out
    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self._drop(self._attend(self.norm1(x), mask))
            return x + self._drop(self.ffn(self.norm2(x)))
        x = self.norm1(x + self._attend(x, mask))
        return self.norm2(x + self.ffn(x))
