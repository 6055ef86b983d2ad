# Thin aliases; the work is in course.py, which runs on any system.
.PHONY: lab lab-instructor setup doctor check test notebooks bank bundle proof

lab: ; python3 course.py lab
lab-instructor: ; python3 course.py lab --instructor
setup: ; python3 course.py setup
doctor: ; python3 course.py doctor
check: ; python3 course.py check
test: ; python3 course.py test
notebooks: ; python3 course.py notebooks
bank: ; python3 course.py bank
bundle: ; python3 course.py bundle

# What takes minutes, with the environment that `make test` has made.
PYTHON ?= $(if $(wildcard .venv/bin/python),.venv/bin/python,python3)
proof: ; $(PYTHON) -m pytest -m proof tests

bench-viz: ; .venv/bin/python tests/bench/viz.py
