"""Special tokens are chosen like others.

mistake: special_chosen
fails: 15 % by default
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape, generator=generator) < p)
    fate = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(0, vocab_size, tokens.shape, generator=generator)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, -100)
    return inputs, labels
