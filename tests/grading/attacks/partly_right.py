"""Honest answers beside a forgery keep their marks, and only theirs.

cell: count_ones
earns: 2
"""

import tformer_course.checks.core.verify as v
v.judge = lambda *a, **k: None
def count_ones(mask): return int(mask.sum())
