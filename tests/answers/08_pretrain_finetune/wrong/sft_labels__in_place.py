"""Writes into input_ids.

mistake: unnamed
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    for row, p, n in zip(input_ids, prompt_lengths, lengths):
        row[:p] = -100
        row[n:] = -100
    return input_ids
