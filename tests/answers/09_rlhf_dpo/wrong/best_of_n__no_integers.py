"""The places as floating-point numbers, with which nothing can be indexed.

mistake: no_integers
fails: many ties
"""


def best_of_n(scores):
    return scores.argmax(dim=-1).to(scores.dtype)
