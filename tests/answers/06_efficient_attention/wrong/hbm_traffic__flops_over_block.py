"""n²d and n²d/B.

mistake: flops_over_block
fails: the example of the docstring
"""


def hbm_traffic(n, d, sram, algorithm):
    if algorithm == "standard":
        return n**2 * d
    elif algorithm == "flash":
        block = math.ceil(sram / (4 * d))
        passes = math.ceil(n / block)
        return n**2 * d // block
    else:
        raise ValueError(f"unknown algorithm {algorithm}")
