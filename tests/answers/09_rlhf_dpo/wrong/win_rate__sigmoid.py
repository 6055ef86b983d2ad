"""Bradley–Terry probabilities.

mistake: bradley_terry
fails: many ties
"""


def win_rate(a, b):
    return float(torch.sigmoid((a - b).double()).mean())
