"""Files of the course, of others and of the host are looked for.

answers: right
earns: 7
"""

import glob, os
found = []
for path in ("COURSE_ROOT", "COURSE_ROOT/gradebook.db", "COURSE_ROOT/solutions", "/etc/passwd", "/etc/shadow", "/home",
             "/root/.ssh", "/var", "/proc/1/mem", "/sys", "/run", "/dev/sda", "/dev/vda"):
    try:
        os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
        found.append(path)
    except OSError:
        pass
try:  # the sandbox's first process: its root must be the one that is seen anyway
    assert sorted(os.listdir("/proc/1/root")) == sorted(os.listdir("/"))
except PermissionError:
    pass
print("FOUND", found)
assert found == [], found
