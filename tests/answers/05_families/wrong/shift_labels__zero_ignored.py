"""0 at padding.

mistake: zero_for_minus_hundred
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    return inputs, torch.where(labels == pad_id, 0, labels)
