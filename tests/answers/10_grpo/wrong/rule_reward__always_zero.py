"""Nothing is ever right.

mistake: unnamed
fails: right numbers, other ones
"""


def rule_reward(completion: str, answer: int | float | str) -> float:

    return 0.0
