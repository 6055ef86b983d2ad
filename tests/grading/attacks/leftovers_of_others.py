"""Something of an earlier student is looked for.

answers: right
earns: 7
"""

import os
assert not os.path.exists("/box/.cache/poison") and os.listdir("/dev/shm") == []
assert [p for p in os.listdir("/box") if not p.startswith(".")] == []
