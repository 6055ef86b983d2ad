"""Many prints.
"""

for i in range(30_000): print('x' * 300)
