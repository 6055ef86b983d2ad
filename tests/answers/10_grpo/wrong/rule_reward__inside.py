"""The answer anywhere between the tags.

mistake: substring_between_tags
fails: one pair with another content
"""


def rule_reward(completion: str, answer: int | float | str) -> float:
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    before, rest = completion.split("<answer>")
    if "</answer>" in before:
        return 0.0
    content = rest.split("</answer>")[0].strip()
    return 1.0 if str(answer) in content else 0.1
