"""Right: counts passes in a loop."""


def hbm_traffic(n, d, sram, algorithm):
    if algorithm not in ("standard", "flash"):
        raise ValueError(algorithm)
    nd = n * d
    if algorithm == "standard":
        return 4 * (nd + n * n)
    total, done, keys = 2 * nd, 0, (sram + 4 * d - 1) // (4 * d)
    while done < n:
        total += 3 * nd
        done += keys
    return total
