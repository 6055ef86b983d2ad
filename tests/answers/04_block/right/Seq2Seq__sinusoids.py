"""Right: sinusoidal positions, one table for both sides, embeddings scaled by √C."""


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
        super().__init__()
        angles = torch.arange(max_len)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        self.register_buffer("table", table)
        self.scale = math.sqrt(d_model)
        self.source_embedding = nn.Embedding(vocab_size, d_model)
        self.target_embedding = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.source_embedding.weight, std=d_model**-0.5)
        nn.init.normal_(self.target_embedding.weight, std=d_model**-0.5)
        self.enc = nn.ModuleList([course.TransformerBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])
        self.dec = nn.ModuleList([course.DecoderBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])
        self.enc_norm = nn.LayerNorm(d_model)
        self.dec_norm = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, source, target):
        memory = self.source_embedding(source) * self.scale + self.table[: source.size(1)]
        for layer in self.enc:
            memory = layer(memory)
        memory = self.enc_norm(memory)
        x = self.target_embedding(target) * self.scale + self.table[: target.size(1)]
        mask = torch.ones(target.size(1), target.size(1), dtype=torch.bool).tril()
        for layer in self.dec:
            x = layer(x, memory, mask)
        return self.out(self.dec_norm(x))
