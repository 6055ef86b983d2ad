"""Padding is a label.

mistake: loss_on_padding
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    return inputs, labels.clone()
