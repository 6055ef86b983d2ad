"""Inputs and labels exchanged.

mistake: shifted_the_other_way
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, 1:], tokens[:, :-1]
    return inputs, torch.where(labels == pad_id, -100, labels)
