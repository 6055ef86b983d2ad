"""Right: nested lists."""


def shift_labels(tokens, pad_id):
    inputs = [row[:-1] for row in tokens.tolist()]
    labels = [[-100 if t == pad_id else t for t in row[1:]] for row in tokens.tolist()]
    return torch.tensor(inputs), torch.tensor(labels)
