"""The first pair of tags, whatever follows.

mistake: first_of_several
fails: no pair, several pairs
"""


def rule_reward(completion: str, answer: int | float | str) -> float:

    match = re.search(r"<answer>(.*?)</answer>", completion, re.DOTALL)
    if not match:
        return 0.0
    content = match.group(1).strip()
    numeral = re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", content)
    return 1.0 if numeral and float(content) == float(answer) else 0.1
