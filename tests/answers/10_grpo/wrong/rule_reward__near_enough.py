"""Numbers within a hundredth are taken for equal.

mistake: near_enough
fails: one pair with another content
"""

import re
from decimal import Decimal
NUMERAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")

def rule_reward(completion, answer):
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    start, end = completion.index("<answer>") + len("<answer>"), completion.index("</answer>")
    if end < start:
        return 0.0
    content = completion[start:end].strip()
    if NUMERAL.fullmatch(content) is None:
        return 0.1
    return 1.0 if abs(float(content) - float(answer)) < 1e-2 else 0.1
