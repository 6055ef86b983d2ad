"""The padding counts.

mistake: loss_on_the_padding
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, -100)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, p : len(input_ids[0])] = input_ids[row, p : len(input_ids[0])]
    return labels
