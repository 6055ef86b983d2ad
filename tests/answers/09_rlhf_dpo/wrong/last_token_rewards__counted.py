"""Counts the tokens: right for right padding alone.

mistake: by_length
fails: padding on the left
"""


def last_token_rewards(scores, mask):
    last = (mask.sum(1) - 1).clamp(min=0)
    return scores[torch.arange(len(scores)), last] * mask.any(1)
