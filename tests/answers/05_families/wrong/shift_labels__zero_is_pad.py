"""Takes 0 for padding.

mistake: zero_taken_for_padding
fails: another pad_id
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    return inputs, torch.where(labels == 0, -100, labels)
