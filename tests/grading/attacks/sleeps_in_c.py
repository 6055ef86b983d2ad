"""A cell that sleeps longer than it may.

cell: noise
answers: right
earns: 5
slow: yes
"""

import time
time.sleep(3600)
