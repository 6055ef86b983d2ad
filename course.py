"""The course in one command: `python3 course.py lab`. Standard library only, any operating system.

This file is kept so plain that any Python, even 2.7, can read it: an old Python must be able to say that it is old.
The work is done in tformer_course/launch.py.
"""

from __future__ import print_function

import sys

OLDEST = (3, 11)
NEWEST = (3, 13)


def wrong_python(version):
    """Return two sentences about a Python that the course does not run on, or None when it is fine."""
    version = tuple(version[:2])
    if OLDEST <= version <= NEWEST:
        return None
    return (
        "This is Python {}.{}, and the course runs on Python 3.11, 3.12 or 3.13.\n"
        "Install one of them (python.org, your system's packages or conda) and call it by name: "
        "python3.12 course.py lab (on Windows: py -3.12 course.py lab)."
    ).format(*version)


def main():
    """Check the Python, then hand over."""
    message = wrong_python(sys.version_info)
    if message:
        print(message, file=sys.stderr)
        return 2
    from tformer_course.launch import main as launch

    return launch(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
