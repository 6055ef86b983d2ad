"""What becomes of a token is drawn by a generator of its own, always with the same seed.

mistake: fate_not_from_the_generator
fails: the generator decides what becomes
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.tensor(list(special_ids), dtype=torch.long)
    r = torch.rand(tokens.shape, generator=generator)
    chosen = (r < p) & ~torch.isin(tokens, special)
    f = torch.rand(tokens.shape, generator=torch.Generator().manual_seed(0))
    words = torch.randint(vocab_size, tokens.shape, generator=generator)
    inputs = torch.where(chosen & (f < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (f >= 0.8) & (f < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, -100)
    return inputs, labels
