"""Layers of torch, sinusoids, and the float mask that torch makes."""

import math, torch
from torch import nn
class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab_size, d_model), nn.Embedding(vocab_size, d_model)
        p = torch.arange(max_len)[:, None] * torch.exp(torch.arange(0, d_model, 2) * (-math.log(100.0) / d_model))
        self.register_buffer("pe", torch.stack([p.sin(), p.cos()], -1).flatten(1)[:, :d_model])
        self.enc = nn.ModuleList(nn.TransformerEncoderLayer(d_model, num_heads, 2 * d_model, dropout=0.0, batch_first=True, norm_first=True) for _ in range(num_layers))
        self.dec = nn.ModuleList(nn.TransformerDecoderLayer(d_model, num_heads, 2 * d_model, dropout=0.0, batch_first=True, norm_first=True) for _ in range(num_layers))
        self.ln = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, vocab_size)
    def forward(self, source, target):
        e = self.src(source) + self.pe[: source.shape[1]]
        for l in self.enc: e = l(e)
        d = self.tgt(target) + self.pe[: target.shape[1]]
        m = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        for l in self.dec: d = l(d, e, tgt_mask=m)
        return self.out(self.ln(d))
