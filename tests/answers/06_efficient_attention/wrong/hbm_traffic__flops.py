"""FLOPs.

mistake: flops
fails: the example of the docstring
"""


def hbm_traffic(n, d, sram, algorithm):
    if algorithm == "standard":
        return 4 * n**2 * d
    elif algorithm == "flash":
        block = math.ceil(sram / (4 * d))
        passes = math.ceil(n / block)
        return 4 * n**2 * d
    else:
        raise ValueError(f"unknown algorithm {algorithm}")
