"""Fifty megabytes on stdout in one print.

slow: yes
"""

print('x' * 50_000_000)
