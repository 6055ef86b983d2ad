"""A cell asks for input.
"""

input('marks? ')
