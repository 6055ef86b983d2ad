"""It stops with an error where words stand between the tags.

mistake: unnamed
fails: one pair with another content
"""


def rule_reward(completion: str, answer: int | float | str) -> float:
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    before, rest = completion.split("<answer>")
    if "</answer>" in before:
        return 0.0
    content = rest.split("</answer>")[0].strip()
    return 1.0 if float(content) == float(answer) else 0.1
