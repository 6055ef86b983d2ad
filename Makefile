# Thin aliases; the work is in course.py, which runs on any system.
.PHONY: lab lab-instructor setup doctor check test notebooks bank bundle proof test-newest test-oldest bench-grading bench-models bench-notebooks bench-viz

lab: ; python3 course.py lab
lab-instructor: ; python3 course.py lab --instructor
setup: ; python3 course.py setup
doctor: ; python3 course.py doctor
check: ; python3 course.py check
test: ; python3 course.py test
notebooks: ; python3 course.py notebooks
bank: ; python3 course.py bank
bundle: ; python3 course.py bundle
proof: ; python3 course.py proof
test-newest: ; python3 course.py test-newest
test-oldest: ; python3 course.py test-oldest
bench-grading: ; python3 course.py bench-grading
bench-models: ; python3 course.py bench-models
bench-notebooks: ; python3 course.py bench-notebooks
bench-viz: ; python3 course.py bench-viz
