"""Right: a seed for the random module is drawn once."""


def nsp_pairs(documents, generator=None):
    import random

    if len(documents) < 2:
        raise ValueError(f"{len(documents)} documents")
    draw = random.Random(int(torch.randint(2**62, (), generator=generator)))
    pairs = []
    for mine in documents:
        strangers = [s for document in documents if document is not mine for s in document]
        for a, b in zip(mine[:-1], mine[1:]):
            real = draw.random() < 0.5
            pairs.append((a, b if real else draw.choice(strangers), real))
    return pairs
