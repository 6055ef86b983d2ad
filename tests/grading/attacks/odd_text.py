"""Lone surrogates, control characters, right-to-left marks, NUL.

answers: right
earns: 7
"""

print("\ud800 \x00 \x1b[2J \u202e \u2066 " + "\u0301" * 1000)
raise ValueError("\udfff\x00")
