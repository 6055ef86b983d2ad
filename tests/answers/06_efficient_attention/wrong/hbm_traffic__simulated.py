"""The package's simulation counts.

mistake: unnamed
fails: flash, fresh sizes 1
"""


def hbm_traffic(n, d, sram, algorithm):
    q = torch.zeros(n, d)
    if algorithm == "standard":
        return efficient.simulate_standard(q, q, q).traffic()
    if algorithm == "flash":
        return efficient.simulate_flash(q, q, q, sram)[0].traffic("maximum", "total")
    raise ValueError(algorithm)
