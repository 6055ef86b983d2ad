"""Stops at an iterator.

mistake: unnamed
fails: special_ids as a set
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor([special_ids[i] for i in range(len(special_ids))], dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape, generator=generator) < p) & ~special
    fate = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(0, vocab_size, tokens.shape, generator=generator)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, -100)
    return inputs, labels
