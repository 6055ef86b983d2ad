"""Everything that float takes is a numeral: 4_2, nan, inf.

mistake: pythons_float
fails: what Python takes
"""


def rule_reward(completion: str, answer: int | float | str) -> float:
    if completion.count("<answer>") != 1 or completion.count("</answer>") != 1:
        return 0.0
    before, rest = completion.split("<answer>")
    if "</answer>" in before:
        return 0.0
    content = rest.split("</answer>")[0].strip()
    try:
        return 1.0 if float(content) == float(answer) else 0.1
    except ValueError:
        return 0.1
