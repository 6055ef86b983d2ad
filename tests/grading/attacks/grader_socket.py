"""The descriptors that were inherited are searched for a way back to the grader.

answers: right
earns: 7
"""

import os, socket
odd = []
for fd in range(3, 512):
    try: target = os.readlink(f"/proc/self/fd/{fd}")
    except OSError: continue
    if target.startswith("/") and not target.startswith(("/box", "/dev", "/proc", "/usr", "/memfd")): odd.append(target)
assert odd == [], odd
