"""Ignores where the input is padding.

mistake: masked_by_inputs
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    return inputs, torch.where(inputs == pad_id, -100, labels)
