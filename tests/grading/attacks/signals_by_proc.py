"""Signals and limits for processes that only /proc shows.

answers: right
earns: 7
"""

import os, resource, signal
reached = []
for name in filter(str.isdigit, os.listdir("/proc")):
    if os.path.exists(f"/proc/self/task/{name}") or os.readlink("/proc/self") == name: continue
    for act in (lambda fd: signal.pidfd_send_signal(fd, signal.SIGKILL), lambda fd: os.stat("environ", dir_fd=fd) and open(f"/proc/{name}/environ").read() and 1 / 0,
                lambda fd: open(f"/proc/{name}/oom_score_adj", "w").write("1000"), lambda fd: open(f"/proc/{name}/mem", "rb").read(1)):
        fd = os.open(f"/proc/{name}", os.O_DIRECTORY)
        try: act(fd); reached.append(name)
        except OSError: pass
        finally: os.close(fd)
assert reached == [], reached
