"""Writes into its argument.

mistake: unnamed
fails: 15 % by default
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape, generator=generator) < p) & ~special
    labels = torch.where(chosen, tokens, -100)
    fate = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(0, vocab_size, tokens.shape, generator=generator)
    tokens[chosen & (fate < 0.8)] = mask_id
    random = chosen & (fate >= 0.8) & (fate < 0.9)
    tokens[random] = words[random]
    return tokens, labels
