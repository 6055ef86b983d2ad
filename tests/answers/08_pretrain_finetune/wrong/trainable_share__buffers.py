"""Buffers are in the total.

mistake: buffers_counted
fails: layers of any sizes
"""


def trainable_share(model):
    total = sum(p.numel() for p in model.parameters()) + sum(b.numel() for b in model.buffers())
    return sum(p.numel() for p in model.parameters() if p.requires_grad) / total
