"""A single document is paired with itself.

mistake: single_document_accepted
fails: a single document is refused
"""


def nsp_pairs(documents, generator=None):
    pairs = []
    for index, document in enumerate(documents):
        others = [s for i, other in enumerate(documents) if i != index for s in other] or list(document)
        for i in range(len(document) - 1):
            is_next = bool(torch.randint(2, (), generator=generator))
            stranger = others[int(torch.randint(len(others), (), generator=generator))]
            pairs.append((document[i], document[i + 1] if is_next else stranger, is_next))
    return pairs
