"""The prompt counts.

mistake: loss_on_the_prompt
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, -100)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, 0 : n] = input_ids[row, 0 : n]
    return labels
