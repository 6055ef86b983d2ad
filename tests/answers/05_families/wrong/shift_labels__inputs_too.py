"""−100 in the inputs too.

mistake: inputs_masked_too
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    return torch.where(inputs == pad_id, -100, inputs), torch.where(labels == pad_id, -100, labels)
