"""Right: post-norm encoder blocks, dropout that sleeps in evaluation, a deeper head."""


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places = nn.Parameter(torch.randn(2, max_len, d_model))
        self.encoder = nn.ModuleList()
        self.decoder = nn.ModuleList()
        for _ in range(num_layers):
            self.encoder.append(course.TransformerBlock(d_model, num_heads, 2 * d_model, norm="post"))
            self.decoder.append(course.DecoderBlock(d_model, num_heads, 2 * d_model))
        self.dropout = nn.Dropout(0.02)
        self.head = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, vocab_size))

    def forward(self, source, target):
        memory = self.dropout(self.tokens(source) + self.places[0, : source.shape[1]])
        for block in self.encoder:
            memory = block(memory)
        n = target.shape[1]
        x = self.dropout(self.tokens(target) + self.places[1, :n])
        for block in self.decoder:
            x = block(x, memory, self_mask=causal_mask(n))
        return self.head(x)
