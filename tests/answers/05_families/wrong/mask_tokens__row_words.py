"""One random word per row.

mistake: one_word_per_row
fails: random words from the whole vocabulary
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.tensor(list(special_ids), dtype=torch.long)
    r = torch.rand(tokens.shape, generator=generator)
    chosen = (r < p) & ~torch.isin(tokens, special)
    f = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(vocab_size, (*tokens.shape[:-1], 1), generator=generator)
    inputs = torch.where(chosen & (f < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (f >= 0.8) & (f < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, -100)
    return inputs, labels
