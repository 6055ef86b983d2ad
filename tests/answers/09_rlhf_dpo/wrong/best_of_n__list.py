"""A list.

mistake: unnamed
fails: five rows
"""

def best_of_n(scores):
    return torch.argmax(scores, dim=-1).tolist()
