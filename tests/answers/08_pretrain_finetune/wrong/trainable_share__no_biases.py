"""Leaves biases out.

mistake: weights_only
fails: layers of any sizes
"""


def trainable_share(model):
    ps = [p for n, p in model.named_parameters() if n.endswith("weight")]
    return sum(p.numel() for p in ps if p.requires_grad) / sum(p.numel() for p in ps)
