"""System calls that a notebook has no use for.

answers: right
earns: 7
"""

import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
allowed = []
calls = {"unshare": 272, "mount": 165, "ptrace": 101, "bpf": 321, "keyctl": 250, "io_uring_setup": 425, "userfaultfd": 323,
         "setns": 308, "perf_event_open": 298, "process_vm_readv": 310, "open_by_handle_at": 304, "fsopen": 430}
if platform.machine() == "x86_64":
    for name, number in calls.items():
        result = libc.syscall(number, 0x10000000, 0, 0, 0, 0)
        if not (result == -1 and ctypes.get_errno() == errno.EPERM): allowed.append((name, result, ctypes.get_errno()))
    if not (libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0) == -1 and ctypes.get_errno() == errno.EPERM): allowed.append("clone(NEWUSER)")
    if not (libc.syscall(435, 0, 0) == -1 and ctypes.get_errno() == errno.ENOSYS): allowed.append("clone3")
assert allowed == [], allowed
