"""Counts tensors.

mistake: tensors_counted
fails: layers of any sizes
"""


def trainable_share(model):
    ps = list(model.parameters())
    return sum(p.requires_grad for p in ps) / len(ps)
