"""Right: one pattern for the whole text, with a look at both tags first."""


def rule_reward(completion: str, answer: int | float | str) -> float:

    tags = re.findall(r"</?answer>", completion)
    if tags != ["<answer>", "</answer>"]:
        return 0.0
    content = completion.partition("<answer>")[2].partition("</answer>")[0].strip()
    if not re.fullmatch(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", content):
        return 0.1
    return 1.0 if abs(float(content) - float(answer)) < 1e-12 else 0.1
