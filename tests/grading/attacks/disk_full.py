"""Files until no more fits.

answers: right
earns: any
"""

import os
def fill(folder):
    try:
        for i in range(40):
            with open(f"{folder}/{i}", "wb") as f: f.write(b"x" * 20 * 2**20)
    except OSError as error:
        return error.errno
assert fill("/box") == 28 and fill("/dev/shm") == 28
for i in range(10): 
    try: os.remove(f"/box/{i}")
    except OSError: pass
