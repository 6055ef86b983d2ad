"""eval of the content, so an expression is an answer.

mistake: unnamed
fails: expressions and other signs
"""


def rule_reward(completion: str, answer: int | float | str) -> float:
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    before, rest = completion.split("<answer>")
    if "</answer>" in before:
        return 0.0
    content = rest.split("</answer>")[0].strip()
    try:
        return 1.0 if len(content) < 50 and float(eval(content)) == float(answer) else 0.1
    except Exception:
        return 0.1
