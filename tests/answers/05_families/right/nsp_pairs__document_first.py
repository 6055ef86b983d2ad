"""Right: draws the other document first, then a sentence of it."""


def nsp_pairs(documents, generator=None):
    if len(documents) == 1:
        raise ValueError("one document has no others")
    usable = [d for d, document in enumerate(documents) if len(document) > 0]
    pairs = []
    for d, document in enumerate(documents):
        pool = [other for other in usable if other != d]
        for i in range(len(document) - 1):
            if torch.rand(1, generator=generator).item() < 0.5:
                pairs.append((document[i], document[i + 1], True))
            else:
                other = documents[pool[torch.randint(len(pool), (1,), generator=generator).item()]]
                pairs.append((document[i], other[torch.randint(len(other), (1,), generator=generator).item()], False))
    return pairs
