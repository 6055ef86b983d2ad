"""One file beyond the limit.

answers: right
earns: 7
"""

import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open("/box/large", "wb") as f:
        for _ in range(10): f.write(b"x" * 10 * 2**20)
    raise SystemExit("it fits")
except OSError as error:
    assert error.errno == 27, error
import os; os.remove("/box/large")
