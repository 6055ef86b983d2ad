"""One token late.

mistake: first_answer_token_lost
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    labels = torch.full_like(input_ids, -100)
    for row in range(len(input_ids)):
        p, n = int(prompt_lengths[row]), int(lengths[row])
        labels[row, p + 1 : n] = input_ids[row, p + 1 : n]
    return labels
