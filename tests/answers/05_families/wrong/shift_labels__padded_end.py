"""As long as the tokens, the last label ignored.

mistake: full_length_last_ignored
fails: padding with 0
"""


def shift_labels(tokens, pad_id):
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    labels = torch.where(labels == pad_id, -100, labels)
    return tokens.clone(), torch.cat([labels, torch.full_like(tokens[:, :1], -100)], dim=1)
