"""The generator is not passed on.

mistake: generator_ignored
fails: the same generator gives the same result
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape) < p) & ~special
    fate = torch.rand(tokens.shape)
    words = torch.randint(0, vocab_size, tokens.shape)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, -100)
    return inputs, labels
