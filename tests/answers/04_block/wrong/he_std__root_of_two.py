"""Only the 2 under the root.

mistake: root_of_two_only
fails: one width
"""


def he_std(fan_in):
    return math.sqrt(2) / fan_in
