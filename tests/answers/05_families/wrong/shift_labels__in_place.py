"""Writes −100 into the tokens through a view.

mistake: unnamed
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs = tokens[:, :-1].clone()
    labels = tokens[:, 1:]
    labels[labels == pad_id] = -100
    return inputs, labels
