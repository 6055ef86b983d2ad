"""Right: the text in pieces at the tags; a pattern for ASCII digits, with the letter e in both cases."""


def rule_reward(completion: str, answer: int | float | str) -> float:
    pieces = re.split(r"(</?answer>)", completion)
    if pieces[1::2] != ["<answer>", "</answer>"]:
        return 0.0
    content = pieces[2].strip()
    if not re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", content, re.ASCII | re.IGNORECASE):
        return 0.1
    return 1.0 if math.isclose(float(content), float(answer), rel_tol=1e-9, abs_tol=1e-9) else 0.1
