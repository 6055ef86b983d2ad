"""nn.Transformer from torch: the model is judged by what it does."""

import torch
from torch import nn
class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, d_model)
        self.pos = nn.Parameter(torch.randn(max_len, d_model))
        self.tr = nn.Transformer(d_model, num_heads, num_layers, num_layers, 4 * d_model, dropout=0.0, batch_first=True, norm_first=True)
        self.out = nn.Linear(d_model, vocab_size)
    def forward(self, source, target):
        n = target.shape[1]
        mask = torch.ones(n, n, dtype=torch.bool, device=target.device).triu(1)
        return self.out(self.tr(self.tok(source) + self.pos[:source.shape[1]], self.tok(target) + self.pos[:n], tgt_mask=mask))
