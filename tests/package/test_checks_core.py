"""The mechanism of the checks: what is called right, what is called wrong, and in which words."""

from __future__ import annotations

import math
import time

import pytest
import torch
from torch import nn

from tformer_course.checks import Case, Exercise, Mistake
from tformer_course.checks.core.compare import difference, gradient_difference
from tformer_course.checks.core.draw import Draw, seed_for
from tformer_course.checks.core.exercise import look
from tformer_course.checks.core.guards import ATTENTION_SHORT_CUTS
from tformer_course.checks.core.records import RecordError, decode, encode
from tformer_course.checks.core.run import run


def reference(q, k, v):
    return (q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])).softmax(-1) @ v


def unscaled(q, k, v):
    return (q @ k.transpose(-1, -2)).softmax(-1) @ v


EXERCISE = Exercise(
    "mix",
    points=2,
    reference=reference,
    cases=(
        Case("values", lambda draw: [draw.normal(2, 3, 4), draw.normal(2, 5, 4), draw.normal(2, 5, 6)], grad=True),
        Case("one key", lambda draw: [draw.normal(3, 4), draw.normal(1, 4), draw.normal(1, 6)]),
    ),
    mistakes=(Mistake("no_scale", "the scores grow with d_k. What keeps their variance at 1?", unscaled),),
)


def by_loop(q, k, v):
    d = q.shape[-1]
    rows = [(q[..., i : i + 1, :] * k).sum(-1) / d**0.5 for i in range(q.shape[-2])]
    return torch.stack([(r.softmax(-1)[..., None] * v).sum(-2) for r in rows], -2)


def test_right_answer_written_otherwise_is_right():
    assert look(EXERCISE, by_loop)[:2] == ("✓", "values, one key (2 of 2)")


def test_known_mistake_is_named():
    assert look(EXERCISE, lambda q, k, v: unscaled(q, k, v))[:2] == ("✗", EXERCISE.mistakes[0].says)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda q, k, v: None, "None, expected a tensor"),
        (lambda q, k, v: by_loop(q, k, v)[:1], "shape (1, 3, 6), expected (2, 3, 6)"),
        (lambda q, k, v: by_loop(q, k, v).float(), "dtype float32, expected float64"),
        (lambda q, k, v: by_loop(q, k, v) * math.nan, "36 of 36 entries are NaN"),
        (lambda q, k, v: by_loop(q, k, v).detach(), "no gradient reaches floating-point input 1"),
        (lambda q, k, v: by_loop(q.add_(0.0).mul_(2.0) / 2, k, v), "it changes its inputs"),
        (lambda q, k, v: reference(q, k, v), "the package's own solution"),
        (lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v), "write this one by hand"),
        (lambda q, k, v: undefined_name, "NameError"),  # noqa: F821
        (lambda q, k, v: exit(), "SystemExit"),
        (lambda q: q, "TypeError"),
        (7, "should be a function or class, not a int"),
    ],
)
def test_other_faults_are_told_in_one_or_two_sentences(answer, says):
    sign, sentence, _ = look(EXERCISE, answer)
    assert sign == "✗"
    assert says in sentence
    assert len(sentence) < 400 and "\n" not in sentence


def test_stub_is_not_done_yet():
    def stub(q, k, v):
        raise NotImplementedError("write your answer here")

    assert look(EXERCISE, stub)[:2] == ("○", "not done yet")


@pytest.mark.parametrize("swallow", [False, True])
def test_endless_loop_ends(swallow):
    def endless(q, k, v):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                if not swallow:
                    raise

    started = time.perf_counter()
    outcome = run(endless, [1, 2, 3], limit=0.3)
    assert "does not end within 0.3 s" in outcome.error
    assert time.perf_counter() - started < 3


def test_endless_loop_ends_outside_the_main_thread():
    from concurrent.futures import ThreadPoolExecutor

    def endless():
        while True:
            pass

    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(run, endless, [], limit=0.3).result(timeout=10)
    assert "does not end" in outcome.error


def test_prints_are_kept_short_and_apart():
    def noisy(q, k, v):
        for _ in range(10_000):
            print("shape", q.shape)
        return by_loop(q, k, v)

    sign, _, printed = look(EXERCISE, noisy)
    assert sign == "✓"
    assert printed.startswith("shape") and len(printed) <= 2000


def test_error_shows_the_line_of_the_answer():
    import linecache

    source = "def broken(q, k, v):\n    scores = q @ v\n    return scores\n"
    linecache.cache["<answer mix>"] = (len(source), None, source.splitlines(True), "<answer mix>")
    namespace: dict = {}
    exec(compile(source, "<answer mix>", "exec"), namespace)
    assert "Line 2 of your cell: scores = q @ v" in look(EXERCISE, namespace["broken"])[1]


def test_short_cuts_are_seen_under_any_name():
    alias = torch.nn.functional.scaled_dot_product_attention
    module = nn.MultiheadAttention(4, 2, batch_first=True).double()
    q = torch.randn(2, 3, 4, dtype=torch.float64)
    for call in (alias, lambda q, k, v: module(q, k, v)[0], lambda q, k, v: module.eval()(q, k, v)[0]):
        assert "by hand" in run(call, [q, q, q], forbid=ATTENTION_SHORT_CUTS).error


def test_short_cuts_work_again_afterwards():
    q = torch.randn(2, 3, 4)
    run(reference, [q, q, q], references=[reference], forbid=ATTENTION_SHORT_CUTS)
    assert torch.allclose(reference(q, q, q), torch.nn.functional.scaled_dot_product_attention(q, q, q), atol=1e-6)


def test_strides_of_inputs_are_kept():
    x = torch.randn(3, 4).T
    seen = run(lambda t: t.is_contiguous(), [x]).value
    assert seen is False


@pytest.mark.parametrize("fake", [torch.zeros(3, 4), torch.ones(3, 4) / 4, torch.eye(3, 4)])
def test_constant_tensors_are_never_close_to_random_values(fake):
    assert difference(fake.double(), Draw(1).normal(3, 4))


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        (1.0, 2.0, "off by 1"),
        (3, 4, "not the right number"),
        (True, 1, "a bool, expected a number"),
        (float("nan"), 1.0, "NaN"),
        ({"flops": 1}, {"flops": 1, "steps": 2}, "expected a dict with the keys"),
        ([1], [1, 2], "1 values, expected 2"),
        (torch.tensor([1.0, math.inf]), torch.tensor([1.0, -math.inf]), "infinite in the wrong places"),
        (torch.tensor([True, False]), torch.tensor([True, True]), "1 of 2 entries are wrong"),
        ("a", "b", "not the right one"),
    ],
)
def test_differences_are_named(actual, expected, says):
    assert says in difference(actual, expected)


@pytest.mark.parametrize(
    "value", [1.5, 7, True, None, "x", {"a": [1, 2.5]}, torch.tensor([-math.inf, 1.0]), torch.tensor(3), (1, 2)]
)
def test_equal_values_do_not_differ(value):
    assert difference(value, value) is None


def test_missing_gradient_counts_as_zero():
    assert gradient_difference([None], [torch.zeros(2)]) is None
    assert gradient_difference([torch.zeros(2)], [None]) is None
    assert gradient_difference([torch.ones(2)], [None])


def test_same_seed_same_inputs():
    assert seed_for(1, "a", "b") == seed_for(1, "a", "b") != seed_for(1, "ab")
    assert torch.equal(Draw(5).normal(3), Draw(5).normal(3))
    assert Draw(5).mask(50, 3, keep=0.01).any(-1).all()
    order = Draw(3).permutation(4)
    assert not torch.equal(order[order], torch.arange(4))


VALUES = [
    torch.randn(2, 3, dtype=torch.float64),
    torch.randn(2, 3).T,
    torch.tensor([True, False]),
    torch.tensor(4),
    torch.empty(0, 3),
    torch.randn(3).bfloat16(),
    torch.randn(2, 1, dtype=torch.float64)[::2, 0],  # one entry, stride 2
    [1, 2.5, -math.inf, None, "ü", {"a": torch.ones(1)}],
    10**30,
    True,
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_records_keep_values_exactly(value):
    import json

    back = decode(json.loads(json.dumps(encode(value))))
    assert difference(back, value, tol=0.0) is None


NESTED: dict = {"list": []}
for _ in range(20):
    NESTED = {"list": [NESTED]}


@pytest.mark.parametrize(
    "node",
    [
        None,
        [],
        {"tensor": "AAAA", "dtype": "float64", "shape": [1]},
        {"tensor": "AAAA", "dtype": "object", "shape": [1]},
        {"tensor": "!!", "dtype": "uint8", "shape": [1]},
        {"tensor": "", "dtype": "float32", "shape": [0, -1]},
        {"tensor": "AAAA", "dtype": "uint8", "shape": "x"},
        {"tensor": 5, "dtype": "uint8", "shape": [1]},
        {"float": "zz"},
        {"float": "0x1p99999"},
        {"int": "1" * 5000 + "x"},
        {"int": []},
        {"list": 3},
        {"dict": [["a"]]},
        {"plain": [1]},
        NESTED,
    ],
)
def test_damaged_records_are_refused(node):
    with pytest.raises(RecordError):
        decode(node)


@pytest.mark.parametrize(
    "value", [object(), torch.zeros(2, dtype=torch.complex64), {1, 2}, torch.zeros(2**22).double()]
)
def test_values_that_cannot_be_recorded_are_refused(value):
    with pytest.raises(RecordError):
        encode(value)
