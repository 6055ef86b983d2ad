"""0 where nothing counts.

mistake: zeros_elsewhere
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, 0)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, p : n] = input_ids[row, p : n]
    return labels
