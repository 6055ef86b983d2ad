"""Right: clones and writes by index; one draw of three fates."""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    inputs, labels = tokens.clone(), torch.full_like(tokens, -100)
    allowed = torch.ones_like(tokens, dtype=torch.bool)
    for special in special_ids:
        allowed &= tokens != special
    chosen = torch.bernoulli(torch.full(tokens.shape, p), generator=generator).bool() & allowed
    labels[chosen] = tokens[chosen]
    weights = torch.tensor([0.8, 0.1, 0.1]).expand(int(chosen.sum()), 3)
    fate = torch.full_like(tokens, -1)
    if len(weights):
        fate[chosen] = torch.multinomial(weights, 1, generator=generator).squeeze(1)
    inputs[fate == 0] = mask_id
    inputs[fate == 1] = torch.randint(vocab_size, (int((fate == 1).sum()),), generator=generator)
    return inputs, labels
