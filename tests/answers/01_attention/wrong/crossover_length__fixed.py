"""Has the base model's 512 in the code.

mistake: fixed
fails: TODO
"""


def crossover_length(d):
    return 512
