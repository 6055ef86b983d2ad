"""Gradients that are no tensors, in records that are right otherwise.

answers: right
earns: 6
says: gradients are missing
"""

import tformer_course.checks.core.verify as v
publish = v._publish
def odd(name, outcome):
    if outcome.gradients is not None: outcome.gradients = ["x", 1, None]
    publish(name, outcome)
v._publish = odd
