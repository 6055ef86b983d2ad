"""The formula as it is printed: it loses digits near 0, and is 0/0 at 0.

mistake: digits_lost
fails: no digits are lost near a = 0
"""


def discretize(a, b, delta):
    a_bar = torch.exp(delta * a)
    return a_bar, (a_bar - 1) / a * b
