"""The process crashes.

cell: noise
answers: right
earns: 5
says: the kernel died
"""

import ctypes
ctypes.string_at(0)
