"""All file descriptors are closed.

cell: noise
answers: right
earns: 5
slow: yes
"""

import os
os.closerange(3, 4096)
