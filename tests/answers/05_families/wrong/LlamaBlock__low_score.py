"""−10000 at hidden scores.

mistake: low_score
fails: large scores
"""

import math, torch
from torch import nn
import torch.nn.functional as F
class _RMS(nn.Module):
    def __init__(self, d, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d)); self.eps = eps
    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
class _Attn(nn.Module):
    def __init__(self, d, h, g, base):
        super().__init__()
        self.h, self.g, self.dh, self.base = h, g, d // h, base
        self.q_proj = nn.Linear(d, h * self.dh, bias=False)
        self.k_proj = nn.Linear(d, g * self.dh, bias=False)
        self.v_proj = nn.Linear(d, g * self.dh, bias=False)
        self.o_proj = nn.Linear(h * self.dh, d, bias=False)
    def rot(self, x):
        n = x.shape[-2]
        inv = self.base ** (-torch.arange(0, self.dh, 2, dtype=torch.float32, device=x.device) / self.dh)
        a = torch.outer(torch.arange(n, dtype=torch.float32, device=x.device), inv)
        a = torch.cat([a, a], -1)
        u, w = x.chunk(2, -1)
        return x * a.cos().to(x.dtype) + torch.cat([-w, u], -1) * a.sin().to(x.dtype)
    def forward(self, x):
        B, T, C = x.shape
        q = self.rot(self.q_proj(x).view(B, T, self.h, self.dh).transpose(1, 2))
        k = self.rot(self.k_proj(x).view(B, T, self.g, self.dh).transpose(1, 2))
        v = self.v_proj(x).view(B, T, self.g, self.dh).transpose(1, 2)
        k = k.repeat_interleave(self.h // self.g, 1)
        v = v.repeat_interleave(self.h // self.g, 1)
        s = q @ k.mT / math.sqrt(self.dh)
        s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -1e4)
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1))
class _MLP(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.gate_proj = nn.Linear(d, f, bias=False)
        self.up_proj = nn.Linear(d, f, bias=False)
        self.down_proj = nn.Linear(f, d, bias=False)
    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        super().__init__()
        self.input_layernorm = _RMS(d_model, eps)
        self.self_attn = _Attn(d_model, num_heads, num_kv_heads, rope_base)
        self.post_attention_layernorm = _RMS(d_model, eps)
        self.mlp = _MLP(d_model, d_ff)
    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))
