"""Probabilities, with softmax inside.

mistake: probabilities_returned
fails: who depends on whom
"""


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding(max_len, d_model)
        self.encoder = nn.ModuleList(course.TransformerBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers))
        self.decoder = nn.ModuleList(course.DecoderBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers))
        self.memory_norm = nn.LayerNorm(d_model)
        self.final_norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, source, target):
        memory = self.tokens(source) + self.places(torch.arange(source.shape[1]))
        for block in self.encoder:
            memory = block(memory)
        memory = self.memory_norm(memory)
        x = self.tokens(target) + self.places(torch.arange(target.shape[1]))
        mask = causal_mask(target.shape[1])
        for block in self.decoder:
            x = block(x, memory, self_mask=mask)
        return self.head(self.final_norm(x)).softmax(dim=-1)
