"""−1 at padding.

mistake: minus_one
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    return inputs, torch.where(labels == pad_id, -1, labels)
