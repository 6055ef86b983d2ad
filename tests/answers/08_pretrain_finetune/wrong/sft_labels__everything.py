"""Everything counts.

mistake: everything_counts
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    return input_ids.clone()
