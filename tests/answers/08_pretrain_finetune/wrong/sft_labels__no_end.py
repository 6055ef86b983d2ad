"""The end token does not count.

mistake: end_token_lost
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, -100)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, p : n - 1] = input_ids[row, p : n - 1]
    return labels
