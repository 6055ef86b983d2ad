"""Text between the tags earns nothing.

mistake: text_for_nothing
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
        return 0.0
    return 1.0 if Decimal(content) == Decimal(str(answer).strip()) else 0.1
