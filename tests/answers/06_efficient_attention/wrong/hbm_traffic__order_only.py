"""The order without constants.

mistake: order_only
fails: the example of the docstring
"""


def hbm_traffic(n, d, sram, algorithm):
    if algorithm == "standard":
        return 4 * n * d + 4 * n**2
    elif algorithm == "flash":
        block = math.ceil(sram / (4 * d))
        passes = math.ceil(n / block)
        return n**2 * d**2 // sram
    else:
        raise ValueError(f"unknown algorithm {algorithm}")
