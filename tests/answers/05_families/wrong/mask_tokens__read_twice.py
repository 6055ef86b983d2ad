"""special_ids is read twice.

mistake: special_ids_read_twice
fails: special_ids
"""

import torch
def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor([i for i in special_ids if i in special_ids], dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape, generator=generator) < p) & ~special
    labels = torch.where(chosen, tokens, torch.full_like(tokens, -100))
    kind = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(vocab_size, tokens.shape, generator=generator).to(tokens.dtype)
    inputs = torch.where(chosen & (kind < 0.8), torch.full_like(tokens, mask_id), tokens)
    inputs = torch.where(chosen & (kind >= 0.9), words, inputs)
    return inputs, labels
