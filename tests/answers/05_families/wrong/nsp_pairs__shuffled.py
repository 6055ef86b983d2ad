"""Pairs in any order.

mistake: shuffled
fails: order, coins
"""

import torch
def nsp_pairs(documents, generator=None):
    if len(documents) < 2:
        raise ValueError("at least two documents are needed")
    pairs = []
    for d, doc in enumerate(documents):
        others = [s for e, other in enumerate(documents) if e != d for s in other]
        for first, nxt in zip(doc, doc[1:]):
            if torch.rand((), generator=generator) < 0.5:
                pairs.append((first, nxt, True))
            else:
                pairs.append((first, others[int(torch.randint(len(others), (), generator=generator))], False))
    return [pairs[i] for i in torch.randperm(len(pairs), generator=generator)]
