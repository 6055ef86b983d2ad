"""A count.

mistake: a_count
fails: layers of any sizes
"""


def trainable_share(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
