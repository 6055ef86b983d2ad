"""Shifts the labels.

mistake: shifted_here
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, -100)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, p : n] = input_ids[row, p : n]
    return torch.cat([labels[:, 1:], torch.full_like(labels[:, :1], -100)], dim=1)
