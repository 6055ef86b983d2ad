"""Has the base model's 512 in the code.

mistake: of_the_paper
fails: TODO
"""


def crossover_length(d):
    return 512
