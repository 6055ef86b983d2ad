"""The answer anywhere in the text.

mistake: substring
fails: one pair with another content
"""


def rule_reward(completion: str, answer: int | float | str) -> float:

    return 1.0 if str(answer) in completion else 0.0
