"""Right: torch.where on two masks."""


def sft_labels(input_ids, prompt_lengths, lengths):
    place = torch.arange(input_ids.size(1)).expand_as(input_ids)
    in_prompt = place < prompt_lengths.view(-1, 1)
    in_padding = place >= lengths.view(-1, 1)
    return torch.where(in_prompt | in_padding, torch.tensor(-100), input_ids)
