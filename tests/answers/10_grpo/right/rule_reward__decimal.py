"""Right: the decimal module, after a look at the characters."""


def rule_reward(completion: str, answer: int | float | str) -> float:

    from decimal import Decimal, InvalidOperation

    start, end = completion.find("<answer>"), completion.find("</answer>")
    if start < 0 or end < start or completion.count("<answer>") + completion.count("</answer>") != 2:
        return 0.0
    content = completion[start + len("<answer>") : end].strip()
    if not content or set(content) - set("0123456789+-.eE"):
        return 0.1
    try:
        return 1.0 if Decimal(content) == Decimal(str(answer)) else 0.1
    except InvalidOperation:
        return 0.1
