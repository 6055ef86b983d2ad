"""The last number of the text, with or without tags.

mistake: last_number
fails: one pair with another content
"""


def rule_reward(completion: str, answer: int | float | str) -> float:

    numbers = re.findall(r"-?\d+(?:\.\d+)?", completion)
    return 1.0 if numbers and float(numbers[-1]) == float(answer) else 0.0
