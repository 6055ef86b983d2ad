"""One token of a row is chosen where none was.

mistake: at_least_one
fails: few of them
"""

import torch
def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype))
    chosen = (torch.rand(tokens.shape, generator=generator) < p) & ~special
    chosen[..., 0] |= ~chosen.any(-1) & ~special[..., 0]
    labels = torch.where(chosen, tokens, torch.full_like(tokens, -100))
    kind = torch.rand(tokens.shape, generator=generator)
    words = torch.randint(vocab_size, tokens.shape, generator=generator).to(tokens.dtype)
    inputs = torch.where(chosen & (kind < 0.8), torch.full_like(tokens, mask_id), tokens)
    inputs = torch.where(chosen & (kind >= 0.9), words, inputs)
    return inputs, labels
