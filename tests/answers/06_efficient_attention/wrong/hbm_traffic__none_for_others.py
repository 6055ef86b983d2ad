"""None in place of an error.

mistake: any_algorithm
fails: another algorithm is refused
"""


def hbm_traffic(n, d, sram, algorithm):
    if algorithm == "standard":
        return 4 * n * d + 4 * n**2
    elif algorithm == "flash":
        block = math.ceil(sram / (4 * d))
        passes = math.ceil(n / block)
        return 2 * n * d + passes * 3 * n * d
    else:
        return None
