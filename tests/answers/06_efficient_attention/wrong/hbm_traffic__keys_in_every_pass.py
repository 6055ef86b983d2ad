"""Keys and values in each pass.

mistake: keys_in_every_pass
fails: the example of the docstring
"""


def hbm_traffic(n, d, sram, algorithm):
    if algorithm == "standard":
        return 4 * n * d + 4 * n**2
    elif algorithm == "flash":
        block = math.ceil(sram / (4 * d))
        passes = math.ceil(n / block)
        return passes * 5 * n * d
    else:
        raise ValueError(f"unknown algorithm {algorithm}")
