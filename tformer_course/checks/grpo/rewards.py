"""rule_reward."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...models.grpo import rewards as reference
from ..core.exercise import Case, Exercise, Mistake

OPEN, CLOSE = "<answer>", "</answer>"
NUMERAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def scores(answer: Callable, pairs: list) -> list[float]:
    """The reward of each (completion, answer)."""
    return [float(answer(completion, wanted)) for completion, wanted in pairs]


def tagged(content: str, before: str = "", after: str = "") -> str:
    return f"{before}{OPEN}{content}{CLOSE}{after}"


def right_ones(draw) -> list:
    """Numerals of one number in many forms, with answers as int, float and text."""
    n = draw.integer(12, 96)
    return [
        [tagged(str(n)), n],
        [tagged(f" {n}\n", "so it is "), str(n)],
        [tagged(f"{n}.0"), n],
        [tagged(f"+{n}"), float(n)],
        [tagged(f"-{n}.50", after=" yes"), -n - 0.5],
        [tagged(f"{n}e1"), n * 10],
    ]


def wrong_ones(draw) -> list:
    """One pair of tags around something else."""
    n = draw.integer(12, 96)
    contents = (
        str(n + 1),
        f"1{n}",
        f"{n}0",
        f"{n} or {n + 1}",
        f"it is {n}",
        f"{n}!",
        "",
        "seven",
        f"{n},000",
        f"-{n}",
        f"{n}.001",
        f"{n}.0001",
    )
    return [[tagged(c), n] for c in contents]


def no_pair(draw) -> list:
    """No pair of tags, too many of them, or the wrong order; the number is there."""
    n = draw.integer(12, 96)
    texts = (
        str(n),
        f"the answer is {n}",
        f"{OPEN}{n}",
        f"{n}{CLOSE}",
        f"{CLOSE}{n}{OPEN}",
        tagged(str(n)) + tagged(str(n + 1)),
        tagged(str(n + 1)) + tagged(str(n)),
        f"{OPEN}{n}{OPEN}{n}{CLOSE}",
        f"{OPEN}{n}{CLOSE}{CLOSE}",
        "",
    )
    return [[t, n] for t in texts]


def odd_ones(draw) -> list:
    """What Python's float, or a reader, takes for a number and a decimal numeral is not."""
    n = draw.integer(12, 96)
    contents = (f"{n}_0", "nan", "inf", "-Infinity", f"{n}.{n}.{n}", "--1", "1e", "e5", "0x10", f"{n},0")
    return [[tagged(c), n * 10] for c in contents]


def long_ones(draw) -> list:
    n = draw.integer(12, 96)
    return [
        [tagged(str(n), before="so " * 33_000), n],
        [tagged("9" * 100_000), n],
        [tagged(str(n) + " " * 100_000 + "x"), n],
        ["<answer" * 15_000, n],
        [OPEN + "9" * 40, n],  # an expression that can split digits in many ways tries them all
    ]


def _of(
    *,
    found: Callable[[str], str | None],
    equal: Callable = lambda c, a: float(c) == float(a),
    numeral: Callable = lambda c: bool(NUMERAL.fullmatch(c)),
    form: float = 0.1,
    strip: bool = True,
) -> Callable:
    """A reward that looks for content in one way and compares in one way."""

    def rule_reward(completion, answer):
        content = found(completion)
        if content is None:
            return 0.0
        content = content.strip() if strip else content
        return 1.0 if numeral(content) and equal(content, answer) else form

    return rule_reward


def _one_pair(text: str) -> str | None:
    if text.count(OPEN) != 1 or text.count(CLOSE) != 1 or text.index(CLOSE) < text.index(OPEN):
        return None
    return text.split(OPEN)[1].split(CLOSE)[0]


def _first(text: str) -> str | None:
    match = re.search(f"{OPEN}(.*?){CLOSE}", text, re.DOTALL)
    return match.group(1) if match else None


def _last(text: str) -> str | None:
    found = re.findall(f"{OPEN}(.*?){CLOSE}", text, re.DOTALL)
    return found[-1] if found else None


def _any_order(text: str) -> str | None:
    if text.count(OPEN) != 1 or text.count(CLOSE) != 1:
        return None
    return re.split(f"{OPEN}|{CLOSE}", text)[1]


def _substring(completion, answer):
    return 1.0 if str(answer) in completion else 0.0


def _inside(completion, answer):
    content = _one_pair(completion)
    return 0.0 if content is None else 1.0 if str(answer) in content else 0.1


def _last_number(completion, answer):
    found = re.findall(r"-?\d+(?:\.\d+)?", completion)
    return 1.0 if found and float(found[-1]) == float(answer) else 0.0


def _python_float(content: str) -> bool:
    try:
        float(content)
    except ValueError:
        return False
    return True


def _numeral_within(completion, answer):
    content = _one_pair(completion)
    if content is None:
        return 0.0
    match = NUMERAL.search(content)
    return 1.0 if match and float(match.group()) == float(answer) else 0.1


def _wrong_number_for_nothing(completion, answer):
    content = _one_pair(completion)
    if content is not None and NUMERAL.fullmatch(content.strip()):
        return float(float(content) == float(answer))
    return 0.0 if content is None else 0.1


def _text_for_nothing(completion, answer):
    content = _one_pair(completion)
    if content is not None and not NUMERAL.fullmatch(content.strip()):
        return 0.0
    return _of(found=_one_pair)(completion, answer)


RULE_REWARD = Exercise(
    name="rule_reward",
    points=2.5,
    reference=reference.rule_reward,
    cases=(
        Case("right numbers", lambda draw: [right_ones(draw)], call=scores),
        Case("other contents", lambda draw: [wrong_ones(draw)], call=scores),
        Case("no single pair", lambda draw: [no_pair(draw)], call=scores),
        Case("odd numerals", lambda draw: [odd_ones(draw)], call=scores),
        Case("100,000 characters", lambda draw: [long_ones(draw)], call=scores),
    ),
    mistakes=(
        Mistake(
            "substring",
            "you look for the answer anywhere in the text, so 142 contains 42. What must stand between the tags?",
            _substring,
        ),
        Mistake(
            "substring_between_tags",
            "you look for the answer within the content, so “42 or 43” is right. What must the whole content be?",
            _inside,
        ),
        Mistake(
            "last_number",
            "you take the last number of the text, tags or not. What does the reward ask for besides the number?",
            _last_number,
        ),
        Mistake(
            "first_of_several",
            "you take the first pair of tags, and several may follow. What should a model earn that answers twice?",
            _of(found=_first),
        ),
        Mistake(
            "last_of_several",
            "you take the last pair of tags, and several may stand before. What should a model earn that answers "
            "twice?",
            _of(found=_last),
        ),
        Mistake(
            "any_order",
            "a closing tag before the opening one is taken for a pair. Which of them must come first?",
            _of(found=_any_order),
        ),
        Mistake(
            "compared_as_text",
            "you compare texts, so 42.0 is not 42. What should be compared?",
            _of(found=_one_pair, equal=lambda c, a: c == str(a), numeral=lambda c: True),
        ),
        Mistake(
            "pythons_float",
            "you take everything that Python's float takes: 42_0 too. Which characters may a decimal numeral have?",
            _of(found=_one_pair, numeral=_python_float),
        ),
        Mistake(
            "commas_removed",
            "you remove commas, so 42,0 is 420. Which characters may a decimal numeral have?",
            _of(found=lambda text: None if _one_pair(text) is None else _one_pair(text).replace(",", "")),
        ),
        Mistake(
            "whole_numbers_only",
            "fractions or exponents earn nothing. Which numerals are allowed?",
            _of(found=_one_pair, numeral=lambda c: bool(re.fullmatch(r"[+-]?\d+", c))),
        ),
        Mistake(
            "no_exponents",
            "a numeral with an exponent earns too little. How else can 420 be written with digits and an e?",
            _of(found=_one_pair, numeral=lambda c: bool(re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", c))),
        ),
        Mistake(
            "not_stripped",
            "white space around a numeral costs points with you. What is to be done to the content first?",
            _of(found=_one_pair, strip=False),
        ),
        Mistake(
            "wrong_number_for_nothing",
            "a wrong number between one pair of tags earns nothing with you. What is the form alone worth?",
            _wrong_number_for_nothing,
        ),
        Mistake(
            "text_for_nothing",
            "text between one pair of tags earns nothing with you. What is the form alone worth?",
            _text_for_nothing,
        ),
        Mistake(
            "no_sign",
            "a plus sign or a minus sign earns nothing. Which numerals are allowed?",
            _of(found=_one_pair, numeral=lambda c: bool(re.fullmatch(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", c))),
        ),
        Mistake(
            "numeral_within",
            "you search a numeral within the content, so “42 or 43” is right. What must the whole content be?",
            _numeral_within,
        ),
        Mistake(
            "near_enough",
            "a number near the answer is taken for it. Is 42.001 equal to 42?",
            _of(found=_one_pair, equal=lambda c, a: abs(float(c) - float(a)) < 0.01),
        ),
        Mistake(
            "form_for_nothing",
            "a pair of tags around a wrong number earns nothing with you. What is the form alone worth?",
            _of(found=_one_pair, form=0.0),
        ),
        Mistake(
            "form_in_full",
            "the form alone earns the whole reward. What is it worth?",
            _of(found=_one_pair, form=1.0),
        ),
        Mistake(
            "absolute_value",
            "you compare without the sign. Are 42 and −42 equal?",
            _of(found=_one_pair, equal=lambda c, a: abs(float(c)) == abs(float(a))),
        ),
    ),
)
