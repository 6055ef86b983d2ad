"""As long as the tokens.

mistake: full_length
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens.clone(), tokens.roll(-1, 1)
    return inputs, torch.where(labels == pad_id, -100, labels)
