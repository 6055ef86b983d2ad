"""0 for positions that are not asked.

mistake: zero_for_minus_hundred
fails: 15 % by default
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape, generator=generator) < p) & ~special
    fate = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(0, vocab_size, tokens.shape, generator=generator)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, 0)
    return inputs, labels
