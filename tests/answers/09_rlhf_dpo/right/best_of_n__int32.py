"""Right: another kind of integers."""


def best_of_n(scores):
    return torch.argmax(scores, dim=-1).to(torch.int32)
