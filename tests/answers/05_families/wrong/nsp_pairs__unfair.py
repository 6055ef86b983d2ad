"""Three of four are real.

mistake: unfair_coin
fails: order, coins
"""


def nsp_pairs(documents, generator=None):
    if len(documents) < 2:
        raise ValueError(f"{len(documents)} document")
    pairs = []
    for index, document in enumerate(documents):
        others = [s for i, other in enumerate(documents) if i != index for s in other]
        for i in range(len(document) - 1):
            is_next = bool(torch.randint(4, (), generator=generator) > 0)
            stranger = others[int(torch.randint(len(others), (), generator=generator))]
            pairs.append((document[i], document[i + 1] if is_next else stranger, is_next))
    return pairs
