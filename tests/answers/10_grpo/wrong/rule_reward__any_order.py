"""Both tags once, in any order.

mistake: any_order
fails: no pair, several pairs
"""


def rule_reward(completion: str, answer: int | float | str) -> float:

    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    content = re.split("</?answer>", completion)[1].strip()
    numeral = re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", content)
    return 1.0 if numeral and float(content) == float(answer) else 0.1
