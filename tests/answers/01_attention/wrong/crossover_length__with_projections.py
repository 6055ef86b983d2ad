"""Compares whole blocks, where attention's share is as large as the rest at n = 6d.

mistake: with_projections
fails: an odd width
"""


def crossover_length(d):
    rest_of_block = 24 * d * d  # projections and feed-forward layer, per token
    return rest_of_block // (4 * d)
