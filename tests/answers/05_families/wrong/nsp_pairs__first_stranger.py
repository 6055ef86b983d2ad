"""Always the first sentence of another document.

mistake: always_the_same_second
fails: order, coins
"""


def nsp_pairs(documents, generator=None):
    if len(documents) < 2:
        raise ValueError(f"{len(documents)} document")
    pairs = []
    for index, document in enumerate(documents):
        others = [s for i, other in enumerate(documents) if i != index for s in other]
        for i in range(len(document) - 1):
            is_next = bool(torch.randint(2, (), generator=generator))
            stranger = others[0]
            pairs.append((document[i], document[i + 1] if is_next else stranger, is_next))
    return pairs
