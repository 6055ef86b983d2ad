"""Texts are compared, so 42.0 is not 42.

mistake: compared_as_text
fails: right numbers, other ones
"""


def rule_reward(completion: str, answer: int | float | str) -> float:
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    before, rest = completion.split("<answer>")
    if "</answer>" in before:
        return 0.0
    content = rest.split("</answer>")[0].strip()
    return 1.0 if content == str(answer) else 0.1
