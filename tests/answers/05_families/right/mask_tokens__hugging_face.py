"""Right: two Bernoulli draws after each other, 0.8 and then one half, as the collator of transformers."""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    inputs, labels = tokens.clone(), tokens.clone()
    probability = torch.full(tokens.shape, p)
    ids = list(special_ids)
    if ids:
        probability[(tokens[..., None] == torch.tensor(ids)).any(-1)] = 0.0
    masked = torch.bernoulli(probability, generator=generator).bool()
    labels[~masked] = -100
    replaced = torch.bernoulli(torch.full(tokens.shape, 0.8), generator=generator).bool() & masked
    inputs[replaced] = mask_id
    random = torch.bernoulli(torch.full(tokens.shape, 0.5), generator=generator).bool() & masked & ~replaced
    words = torch.randint(vocab_size, tokens.shape, generator=generator)
    inputs[random] = words[random]
    return inputs, labels
