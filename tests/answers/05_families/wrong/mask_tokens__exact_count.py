"""The same number in each row.

mistake: exact_count
fails: each token by its own draw
"""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype))
    rank = torch.rand(tokens.shape, generator=generator).masked_fill(special, 2.0).argsort(-1).argsort(-1)
    chosen = (rank < ((~special).sum(-1, keepdim=True) * p).round()) & ~special
    fate = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(0, vocab_size, tokens.shape, generator=generator)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), words, inputs)
    labels = torch.where(chosen, tokens, -100)
    return inputs, labels
