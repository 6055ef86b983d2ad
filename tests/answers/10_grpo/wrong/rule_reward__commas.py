"""Removes commas first: 42,0 becomes 420.

mistake: commas_removed
fails: a numeral is not
"""


def rule_reward(completion: str, answer: int | float | str) -> float:
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    before, rest = completion.split("<answer>")
    if "</answer>" in before:
        return 0.0
    content = rest.split("</answer>")[0].strip().replace(",", "")
    numeral = re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", content)
    return 1.0 if numeral and float(content) == float(answer) else 0.1
