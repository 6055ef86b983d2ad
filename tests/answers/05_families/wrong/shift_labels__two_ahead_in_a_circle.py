"""The token after the next.

mistake: two_ahead_in_a_circle
fails: padding with 0
"""

def shift_labels(tokens, pad_id):
    labels = tokens.roll(-2, 1)[:, :-1]
    return tokens[:, :-1], labels.masked_fill(labels == pad_id, -100)
