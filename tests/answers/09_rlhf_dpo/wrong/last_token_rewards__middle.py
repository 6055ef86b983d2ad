"""The middle of the answer.

mistake: unnamed
fails: padding on both sides
"""


def last_token_rewards(scores, mask):
    middle = (mask.int().argmax(1) + (mask.shape[1] - 1 - mask.flip(1).int().argmax(1))) // 2
    return scores[torch.arange(len(scores)), middle] * mask.any(1)
