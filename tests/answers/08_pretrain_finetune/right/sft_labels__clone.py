"""Right: a clone, filled from both sides."""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = input_ids.clone()
    for row, p, n in zip(labels, prompt_lengths, lengths):
        row[:p] = -100
        row[n:] = -100
    return labels
