"""Returns the (n, n) scores and weights, not the vectors that make them.

mistake: unnamed
fails: six positions
"""


def previous_token_scores(n):
    scores = torch.full((n, n), -1e4)
    for t in range(n):
        scores[t, max(t - 1, 0)] = 0.0
    return scores, scores.softmax(-1)
