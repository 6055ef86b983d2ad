"""Random sentences come from the next document only.

mistake: next_document_only
fails: every sentence of every other document
"""


def nsp_pairs(documents, generator=None):
    if len(documents) < 2:
        raise ValueError("two documents")
    out = []
    for d, doc in enumerate(documents):
        others = documents[(d + 1) % len(documents)]
        for i in range(len(doc) - 1):
            if torch.rand((), generator=generator) < 0.5:
                out.append((doc[i], doc[i + 1], True))
            else:
                j = int(torch.randint(len(others), (1,), generator=generator))
                out.append((doc[i], others[j], False))
    return out
