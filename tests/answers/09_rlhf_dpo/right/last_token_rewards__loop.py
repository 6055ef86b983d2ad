"""Right: row by row."""


def last_token_rewards(scores, mask):
    rewards = []
    for row, real in zip(scores, mask):
        kept = row[real]
        rewards.append(kept[-1] if len(kept) else row.sum() * 0)
    return torch.stack(rewards)
