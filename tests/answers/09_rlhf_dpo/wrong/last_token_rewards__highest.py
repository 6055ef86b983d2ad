"""The highest score of the real tokens.

mistake: maximum
fails: padding on both sides
"""


def last_token_rewards(scores, mask):
    best = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype)).max(1).values
    return torch.where(mask.any(1), best, torch.zeros_like(best))
