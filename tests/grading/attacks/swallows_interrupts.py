"""A loop that swallows every interrupt; the kernel has to be killed.

cell: noise
answers: right
earns: 5
slow: yes
says: could not be stopped
"""

import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    try:
        while True: pass
    except BaseException: pass
