"""A daemon that is to outlive the notebook.

answers: right
earns: 7
"""

import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
