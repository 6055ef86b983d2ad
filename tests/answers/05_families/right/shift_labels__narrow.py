"""Right: narrow, clone and masked_fill."""


def shift_labels(tokens, pad_id):
    steps = tokens.shape[1] - 1
    labels = tokens.narrow(1, 1, steps).clone()
    labels.masked_fill_(labels == pad_id, -100)
    return tokens.narrow(1, 0, steps).clone(), labels
