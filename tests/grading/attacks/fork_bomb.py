"""Processes until no more are given, at most 400.

answers: right
earns: any
"""

import os, time
started = 0
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(60); os._exit(0)
        started += 1
    except OSError:
        break
print("started", started)
assert started < 200
