"""Right: a loop over tokens in Python lists, with one draw for choice and fate together."""


def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
    special = set(special_ids)
    draws = torch.rand(tokens.numel(), generator=generator, dtype=torch.float64).tolist()
    words = torch.randint(0, vocab_size, (tokens.numel(),), generator=generator).tolist()
    inputs, labels = [], []
    for token, u, word in zip(tokens.flatten().tolist(), draws, words):
        if token in special or u >= p:
            inputs.append(token)
            labels.append(-100)
            continue
        share = u / p
        inputs.append(mask_id if share < 0.8 else word if share < 0.9 else token)
        labels.append(token)
    return torch.tensor(inputs).reshape(tokens.shape), torch.tensor(labels).reshape(tokens.shape)
