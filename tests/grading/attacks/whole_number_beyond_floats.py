"""A whole number that no float can hold.

cell: count_ones
answers: right
earns: 5
"""

def count_ones(mask):
    return 10 ** 350
