"""Masks the padding by its id.

mistake: end_token_taken_for_padding
fails: many conversations
"""


def sft_labels(input_ids, prompt_lengths, lengths):
    place = torch.arange(input_ids.size(1))
    labels = input_ids.masked_fill(place < prompt_lengths[:, None], -100)
    padding = input_ids[lengths.argmin(), -1]  # what the rows are filled with
    return labels.masked_fill(input_ids == padding, -100)
