"""The prompt counts too.

mistake: prompt_counted
fails: between prompt and padding
"""


def sequence_log_probs(logits, tokens, mask):
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    ends = mask.flip(1).int().cumsum(1).flip(1) > 0
    return (log_p * ends[:, 1:]).sum(-1)
