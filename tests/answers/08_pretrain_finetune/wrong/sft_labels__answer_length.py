"""Takes lengths for the answer's length.

mistake: answer_lengths
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, -100)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, p : p + n] = input_ids[row, p : p + n]
    return labels
