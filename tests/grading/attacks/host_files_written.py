"""Files of the host are written, linked and made executable.

answers: right
earns: 7
"""

import os
wrote = []
for folder in ("/", "/usr", "/usr/local", "/tmp", "/var/tmp", "/etc", "/root", "/proc", "/dev", "COURSE_ROOT",
               os.path.dirname(torch.__file__), os.path.dirname(__import__("tformer_course").__file__)):
    for name in ("tformer-was-here",):
        try:
            open(os.path.join(folder, name), "w").write("x")
            if not os.path.realpath(folder).startswith("/box"): wrote.append(folder)
        except OSError: pass
assert wrote == [], wrote
try: os.symlink("/etc/passwd", "/usr/tformer-was-here"); raise SystemExit("linked")
except OSError: pass
