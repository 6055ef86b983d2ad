"""Memory that counts for no process: anonymous files, segments and queues of System V.

answers: right
earns: 7
"""

import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
got = []
try: os.memfd_create("x"); got.append("memfd_create")
except OSError: pass
if libc.shmget(0, 2**30, 0o1600) >= 0: got.append("shmget")
if libc.msgget(0, 0o1600) >= 0: got.append("msgget")
if libc.semget(0, 100, 0o1600) >= 0: got.append("semget")
assert got == [], got
