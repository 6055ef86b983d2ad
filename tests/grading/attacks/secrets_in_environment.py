"""The environment of this and of all visible processes is searched.

answers: right
earns: 7
"""

import glob, os
text = repr(dict(os.environ))
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try: text += open(path).read()
    except OSError: pass
assert "SECRET_OF_THE_HOST" not in text and "COURSE_ROOT" not in text
