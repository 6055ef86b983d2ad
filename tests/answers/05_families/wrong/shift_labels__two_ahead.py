"""Shifted by two.

mistake: two_ahead
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-2], tokens[:, 2:]
    return inputs, torch.where(labels == pad_id, -100, labels)
