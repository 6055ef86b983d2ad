"""Right: an error of its own kind, which is a ValueError."""


class UnknownAlgorithmError(ValueError):
    pass


def hbm_traffic(n, d, sram, algorithm):
    if algorithm == "standard":
        return 4 * n * (n + d)
    if algorithm == "flash":
        return n * d * (2 + 3 * math.ceil(n / math.ceil(sram / (4 * d))))
    raise UnknownAlgorithmError(algorithm)
