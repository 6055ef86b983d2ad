"""Knows the theory and draws nothing.

mistake: nothing_drawn
fails: equal generators give equal numbers, other seeds others
"""


def score_variance(d_k, num_samples, generator=None):
    return float(d_k)
