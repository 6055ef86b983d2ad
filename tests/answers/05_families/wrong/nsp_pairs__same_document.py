"""The random sentence is from the same document.

mistake: same_document
fails: order, coins
"""


def nsp_pairs(documents, generator=None):
    if len(documents) < 2:
        raise ValueError(f"{len(documents)} document")
    pairs = []
    for index, document in enumerate(documents):
        others = document
        for i in range(len(document) - 1):
            is_next = bool(torch.randint(2, (), generator=generator))
            stranger = others[int(torch.randint(len(others), (), generator=generator))]
            pairs.append((document[i], document[i + 1] if is_next else stranger, is_next))
    return pairs
