"""Right: marks the tokens behind which nothing real stands."""


def last_token_rewards(scores, mask):
    nothing_follows = torch.cat([~mask[:, 1:], torch.ones_like(mask[:, :1])], dim=1)
    return (scores * (mask & nothing_follows)).sum(dim=1)
