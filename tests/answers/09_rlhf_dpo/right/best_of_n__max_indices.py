"""Right: compared with the maximum, the first that is equal."""


def best_of_n(scores):
    return (scores == scores.max(dim=-1, keepdim=True).values).int().argmax(dim=-1)
