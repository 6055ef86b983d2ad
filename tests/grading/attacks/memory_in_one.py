"""Memory until no more is given.

cell: noise
answers: right
earns: 5
"""

held = []
while len(held) < 300: held.append(bytearray(50 * 2**20))
