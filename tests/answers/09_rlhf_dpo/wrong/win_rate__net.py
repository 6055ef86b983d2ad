"""Wins less losses.

mistake: wins_less_losses
fails: many ties
"""


def win_rate(a, b):
    return float(torch.sign(a - b).double().mean())
