"""Capabilities, set-uid programs, other uids.

answers: right
earns: 7
"""

import os, subprocess
status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == int(status["CapPrm"], 16) == 0
assert status["NoNewPrivs"].strip() == "1" and status["Seccomp"].strip() == "2"
assert os.getuid() != 0
for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.chroot("/box"), lambda: os.nice(-5), lambda: os.mknod("/box/n", 0o60600, 2048)):
    try: change(); raise SystemExit("allowed")
    except PermissionError: pass
said = subprocess.run(["su", "-c", "id"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
assert "uid=0" not in said.stdout
