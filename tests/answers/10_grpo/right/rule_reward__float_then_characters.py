"""Right: float in a try, and no character that a decimal numeral lacks."""


def rule_reward(completion: str, answer: int | float | str) -> float:

    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    if completion.index("</answer>") < completion.index("<answer>"):
        return 0.0
    content = completion.split("<answer>")[1].split("</answer>")[0].strip()
    try:
        number = float(content)
    except ValueError:
        return 0.1
    if any(c not in "+-.0123456789eE" for c in content):
        return 0.1
    return 1.0 if number == float(answer) else 0.1
