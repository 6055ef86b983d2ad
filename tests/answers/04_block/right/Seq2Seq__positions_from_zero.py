"""One table of positions for both sides, which starts at 0."""


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Parameter(torch.zeros(max_len, d_model))
        enc = [course.TransformerBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers)]
        dec = [course.DecoderBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers)]
        self.enc, self.dec = nn.ModuleList(enc), nn.ModuleList(dec)
        self.memory_norm = nn.LayerNorm(d_model)
        self.out = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, vocab_size))

    def embed(self, tokens):
        return self.embedding(tokens) + self.positions[: tokens.shape[1]]

    def forward(self, source, target):
        memory = self.embed(source)
        for block in self.enc:
            memory = block(memory)
        memory = self.memory_norm(memory)
        x = self.embed(target)
        causal = torch.tril(torch.ones(target.shape[1], target.shape[1], dtype=torch.bool))
        for block in self.dec:
            x = block(x, memory, causal)
        return self.out(x)
