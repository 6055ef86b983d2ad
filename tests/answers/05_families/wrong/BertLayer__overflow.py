"""exp by hand, without the maximum.

mistake: unnamed
fails: large scores
"""

import math, torch
from torch import nn
import torch.nn.functional as F
class _Self(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.query, self.key, self.value = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
    def forward(self, x, mask):
        sp = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = sp(self.query(x)), sp(self.key(x)), sp(self.value(x))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is None:
            w = s.exp() / s.exp().sum(-1, keepdim=True)
        else:
            mask = mask.expand(s.shape)
            dead = ~mask.any(-1, keepdim=True)
            e = s.exp() * mask
            z = e.sum(-1, keepdim=True)
            w = e / torch.where(z == 0, torch.ones_like(z), z)
        return (w @ v).transpose(1, 2).flatten(2)
class _Out(nn.Module):
    def __init__(self, a, d, eps):
        super().__init__()
        self.dense = nn.Linear(a, d)
        self.LayerNorm = nn.LayerNorm(d, eps=eps)
    def forward(self, h, x):
        return self.LayerNorm(self.dense(h) + x)
class _Att(nn.Module):
    def __init__(self, d, h, eps):
        super().__init__()
        self.self = _Self(d, h)
        self.output = _Out(d, d, eps)
class _Mid(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.dense = nn.Linear(d, f)
class BertLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, eps=1e-12):
        super().__init__()
        self.attention = _Att(d_model, num_heads, eps)
        self.intermediate = _Mid(d_model, d_ff)
        self.output = _Out(d_ff, d_model, eps)
    def forward(self, x, mask=None):
        x = self.attention.output(self.attention.self(x, mask), x)
        return self.output(F.gelu(self.intermediate.dense(x)), x)
