"""What a completion is worth, by rules alone, and how success is counted."""

from __future__ import annotations

import math
import re

OPEN, CLOSE = "<answer>", "</answer>"
# A decimal numeral; digits are those of ASCII. Without nested repetition: the time grows with the length alone.
_NUMERAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def rule_reward(completion: str, answer: int | float | str) -> float:
    """1 for the right number between one pair of tags, 0.1 for the form alone, else 0.

    Args:
        completion: What the model wrote; any text of any length.
        answer: The right number; an int, a float or a numeral.

    Returns:
        1.0 where exactly one `<answer>` and one `</answer>` stand in this order and what is between them, stripped of
        white space, is a decimal numeral (sign, fraction and exponent allowed; no commas, underscores, nan, inf) equal
        to the answer. 0.1 for one such pair with any other content. 0.0 for everything else.

    Source:
        Accuracy and format rewards as in DeepSeek-R1 (arXiv 2501.12948), section 2.2.2.

    >>> rule_reward("17+25 is <answer> 42.0 </answer>", 42), rule_reward("<answer>42 or 43</answer>", 42)
    (1.0, 0.1)
    >>> rule_reward("42", 42), rule_reward("<answer>41</answer><answer>42</answer>", 42)
    (0.0, 0.0)
    """
    if completion.count(OPEN) != 1 or completion.count(CLOSE) != 1:
        return 0.0
    start, end = completion.index(OPEN) + len(OPEN), completion.index(CLOSE)
    if end < start:
        return 0.0
    content = completion[start:end].strip()
    right = _NUMERAL.fullmatch(content) is not None and float(content) == float(answer)
    return 1.0 if right else 0.1


def pass_at_k(n: int, c: int, k: int) -> float:
    """Chance that at least one of k samples is right, estimated without bias from n samples of which c are right.

    Args:
        n: Samples.
        c: Right ones among them, 0 ≤ c ≤ n.
        k: How many one may draw, 1 ≤ k ≤ n.

    Returns:
        1 − C(n − c, k) / C(n, k): the share of all choices of k samples that hold a right one.

    Raises:
        ValueError: For k > n or c > n.

    Source:
        Chen et al. 2021 (arXiv 2107.03374), equation 1.

    >>> pass_at_k(4, 1, 1), pass_at_k(4, 1, 2)
    (0.25, 0.5)
    """
    if k > n or c > n:
        raise ValueError(f"k = {k} and c = {c} may not exceed the {n} samples")
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)  # exact whole numbers, divided once: no overflow
