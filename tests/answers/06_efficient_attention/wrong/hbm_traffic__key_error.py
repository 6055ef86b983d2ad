"""A dictionary refuses with its own error.

mistake: unnamed
fails: another algorithm
"""


def hbm_traffic(n, d, sram, algorithm):
    passes = math.ceil(n / math.ceil(sram / (4 * d)))
    return {"standard": 4 * n * d + 4 * n * n, "flash": 2 * n * d + passes * 3 * n * d}[algorithm]
