"""Written with functional calls; a width that does not divide is nowhere refused."""

import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.h = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))
    def forward(self, x, context=None, mask=None, return_weights=False):
        c = x if context is None else context
        B, T, C = x.shape
        S = c.shape[1]
        q = self.w_q(x).reshape(B, T, self.h, C // self.h)
        k = self.w_k(c).reshape(B, S, self.h, C // self.h)
        v = self.w_v(c).reshape(B, S, self.h, C // self.h)
        s = torch.einsum("bthd,bshd->bhts", q * (C // self.h) ** -0.5, k)
        m = torch.ones(1, dtype=torch.bool, device=x.device) if mask is None else mask
        m = torch.broadcast_to(m, s.shape)
        any_ = m.any(-1, keepdim=True)
        w = F.softmax(torch.where(m | ~any_, s, float("-inf")), -1) * any_
        out = self.w_o(torch.einsum("bhts,bshd->bthd", w, v).reshape(B, T, C))
        return (out, w) if return_weights else out
