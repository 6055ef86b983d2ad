"""Judged twice: honest answers earn the same in place and outside, and forgeries gain nothing outside."""

from __future__ import annotations

import ast
import builtins
import json
import subprocess
import sys

import pytest
import torch

from tests.answers.bank import execute, recorded
from tformer_course.checks.core.compare import difference, gradient_difference
from tformer_course.checks.core.records import MIME, encode
from tformer_course.grading.execute import _judge_one, memory_limit
from tformer_course.grading.judge import outputs_of, read_records, verdict
from tformer_course.grading.messages import Ran
from tformer_course.grading.rewrite import RewriteError, for_kernel

CELL = '''
"""Values and gradients, on fresh inputs."""
import math
import torch
from tformer_course.checks import Verify

verify = Verify("mix_values", points=3)
verify("a visible case", lambda q, k, v: mix(q, k, v),
       inputs=lambda draw: [draw.normal(2, 4), draw.normal(3, 4), draw.normal(3, 5)],
       expected=lambda q, k, v: torch.softmax(q @ k.T / math.sqrt(4), -1) @ v, grad=True)
### BEGIN HIDDEN TESTS
SECRET_SCALE = 0.5
def slow_oracle(q, k, v):
    weights = (q @ k.T * SECRET_SCALE).exp()
    return weights / weights.sum(-1, keepdim=True) @ v
for n in (2, 5):
    verify(f"{n} keys", lambda q, k, v: mix(q, k, v),
           inputs=lambda draw: [draw.normal(2, 4), draw.normal(n, 4), draw.normal(n, 5)],
           expected=slow_oracle, tol=1e-8)
verify("rows are means", lambda q, k, v: mix(q, k, v), weight=0.0,
       inputs=lambda draw: [draw.normal(2, 4), draw.normal(3, 4), draw.normal(3, 5)],
       holds=lambda out, q, k, v: bool((out.max() <= v.max()) and (out.min() >= v.min())))
### END HIDDEN TESTS
verify.marks()
'''

HONEST = "import torch\ndef mix(q, k, v):\n    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, -1) @ v\n"
WRONG = "import torch\ndef mix(q, k, v):\n    return torch.softmax(q @ k.T, -1) @ v\n"


def in_place(*cells: str) -> float:
    namespace: dict = {}
    for cell in cells:
        execute(cell, namespace, "<student>")
    return float(execute(CELL, namespace, "<test>"))


def outside(*cells: str, seed: int = 11, cell: str = CELL):
    namespace: dict = {}
    with recorded() as outputs:
        for source in cells:
            execute(source, namespace, "<student>")
        execute(for_kernel(cell, seed), namespace, "<test>")
    return verdict(cell, read_records(outputs), seed)


@pytest.mark.parametrize(
    ("answer", "marks"),
    [
        (HONEST, 3.0),
        (WRONG, 0.0),
        ("def mix(q, k, v):\n    raise NotImplementedError\n", 0.0),
        ("def mix(q, k, v):\n    return v\n", 0.0),
        (HONEST + "honest = mix\ndef mix(q, k, v):\n    return honest(q, k, v) if len(k) < 5 else v\n", 2.0),
        ("", 0.0),
    ],
)
def test_honest_answers_earn_the_same_both_ways(answer, marks):
    assert in_place(answer) == outside(answer).marks == marks


def test_kernel_never_sees_oracles_or_hidden_values():
    sent = for_kernel(CELL, 11)
    for secret in (
        "expected",
        "holds",
        "slow_oracle",
        "SECRET_SCALE",
        "0.5",
        "exp",
        "softmax",
        "tol",
        "math",
        "weight",
    ):
        assert secret not in sent
    assert "import torch" not in sent, "an import that only the oracle used is cut out too"
    ast.parse(sent)


def test_seed_of_the_run_decides_the_inputs():
    with recorded() as outputs:
        execute(HONEST + for_kernel(CELL, 11), {}, "<test>")
    assert verdict(CELL, read_records(outputs), 11).marks == 3.0
    assert verdict(CELL, read_records(outputs), 12).marks == 0.0


# Each forgery makes the judgement in place say yes to a wrong answer. Outside it must earn nothing.
FORGERIES = {
    "verify_patched": "import tformer_course.checks.core.verify as v\nv.Verify.__call__ = lambda self, *a, **k: None\n"
    "v.Verify.marks = lambda self: 3.0\n",
    "verify_replaced": "import tformer_course.checks as c\nclass Verify:\n    def __init__(self, *a, **k): pass\n"
    "    def __call__(self, *a, **k): pass\n    def marks(self): return 3.0\nc.Verify = Verify\n",
    "allclose_patched": "import torch\ntorch.allclose = torch.equal = lambda *a, **k: True\n"
    "import tformer_course.checks.core.verify as v\nv.difference = lambda *a, **k: None\n"
    "v.gradient_difference = lambda *a, **k: None\n",
    "judge_patched": "import tformer_course.checks.core.verify as v\nv.judge = lambda *a, **k: None\n",
    "assert_patched": "import builtins\nbuiltins.round = lambda *a: 3.0\n",
    "inputs_patched": "from tformer_course.checks.core.draw import Draw\nimport torch\n"
    "Draw.normal = lambda self, *shape, **k: torch.zeros(*shape, dtype=torch.float64)\n",
    "oracle_patched": "import tformer_course.checks.core.verify as v\nrun = v.run\n"
    "v.run = lambda call, given, **k: run(mix, given, **{**k, 'references': (), 'forbid': ()})\n",
    "records_forged": "from IPython import display\nimport json\n"
    "for name in ('a visible case', '2 keys', '5 keys', 'rows are means'):\n"
    f"    display.publish_display_data({{{MIME!r}: json.dumps({{'name': name, 'passed': True, 'marks': 3.0}})}})\n",
}
GAIN_IN_PLACE = set(FORGERIES) - {"records_forged"}


STUDENT_PROCESS = """
import contextlib, io, json, sys
from tests.answers.bank import execute, recorded
wrong, forgery, cell, sent = json.load(sys.stdin)
space = {}
with recorded() as outputs, contextlib.redirect_stdout(io.StringIO()):
    execute(wrong, space, "<student>")
    execute(forgery, space, "<student>")
    here = float(execute(cell, space, "<test>"))
    execute(sent, space, "<test>")
sys.stdout.write(json.dumps([here, outputs]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("forgery", sorted(FORGERIES))
def test_forgery_gains_in_place_only(forgery, root):
    cells = [WRONG, FORGERIES[forgery], CELL, for_kernel(CELL, 11)]
    done = subprocess.run(
        [sys.executable, "-c", STUDENT_PROCESS],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=root,
    )
    marks_in_place, outputs = json.loads(done.stdout)
    assert (marks_in_place > 0) == (forgery in GAIN_IN_PLACE), "the forgery is a real one"
    assert verdict(CELL, read_records(outputs), 11).marks == 0.0


def test_record_that_comes_twice_counts_as_failed():
    namespace: dict = {}
    with recorded() as outputs:
        execute(HONEST, namespace, "<student>")
        execute(for_kernel(CELL, 11), namespace, "<test>")
    assert verdict(CELL, read_records(outputs + outputs[:1]), 11).marks == 2.0


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"name": 1}', '{"name": "2 keys", "value": {"tensor": 1}}', 7]
)
def test_odd_records_are_ignored(text):
    output = {"output_type": "display_data", "data": {MIME: text}}
    result = verdict(CELL, read_records([output, {"output_type": "stream"}]), 11)
    assert result.marks == 0.0
    assert all("nothing was recorded" in line or "the right" in line or "✗" in line for line in result.lines)


def test_lines_name_what_failed():
    result = outside(WRONG)
    assert result.lines[0].startswith("✗ a visible case: ")
    assert result.points == 3.0
    outputs = outputs_of(result)
    assert outputs[1]["data"]["text/plain"] == "0.0" and "✗ 5 keys" in outputs[0]["text"]


@pytest.mark.parametrize(
    "cell",
    [
        "x = 1",
        "from tformer_course.checks import Verify\nverify = Verify('a', points=1)\nprint(1)\nverify.marks()",
        "verify = Verify('a', points=1)\nverify('x', lambda: 1, lambda draw: [], lambda: 2)\nverify.marks()",
        "verify = Verify('a', points=1)\nverify('x', lambda: 1, **{'expected': lambda: 2})\nverify.marks()",
    ],
)
def test_cells_of_another_form_are_refused(cell):
    with pytest.raises(RewriteError):
        for_kernel(cell, 1)


def test_validate_says_what_is_missing_in_sentences(monkeypatch):
    monkeypatch.setenv("NBGRADER_VALIDATING", "1")
    from tformer_course.checks.core.verify import UnfinishedError

    with pytest.raises(UnfinishedError) as caught:
        in_place(WRONG)
    said = caught.value._render_traceback_()
    assert said[0] == "mix_values: 0 of 3 points" and said[1].startswith("✗ a visible case")


@pytest.mark.parametrize("odd", ["x", 1, [], {"a": None}])
def test_odd_gradients_are_the_answers_fault(odd):
    assert gradient_difference([odd], [None]) == "gradients are missing"
    assert gradient_difference([odd], [torch.zeros(2)]) == "gradients are missing"


@pytest.mark.parametrize("expected", [3, 2.5])
def test_number_beyond_floats_is_a_wrong_number(expected):
    assert "not the right number" in difference(10**350, expected)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")
def test_judging_takes_no_more_memory_than_it_may():
    cell = CELL.replace("bool((out.max()", "bool((out.reshape(-1, 1) - out.reshape(1, -1)).sum() == 0 or (out.max()")
    text = json.dumps({"name": "rows are means", "value": encode(torch.ones(30_000, dtype=torch.float64))})
    found = _judge_one(cell, Ran(status="ok", records=[text]), 11, 3.0)
    assert any("rows are means: your result cannot be used" in line for line in found.lines), found.lines
    with memory_limit(2**30):
        torch.zeros(2**20)


COUNTED = """
import builtins
import torch
from tformer_course.checks import Verify

def oracle(x):
    builtins.oracle_calls.append(float(x[0]))
    return 2 * x

verify = Verify("double", points=1)
for n in (2, 3):
    verify(f"{n} numbers", lambda x: double(x), inputs=lambda draw: [draw.normal(n)], expected=oracle)
verify.marks()
"""


def test_an_oracle_is_asked_once_for_a_cell_and_a_seed(monkeypatch):
    calls: list[float] = []
    monkeypatch.setattr(builtins, "oracle_calls", calls, raising=False)
    right, wrong = "def double(x):\n    return x + x\n", "def double(x):\n    return 3 * x\n"
    assert outside(right, cell=COUNTED).marks == 1.0 and len(calls) == 2
    assert outside(wrong, cell=COUNTED).marks == 0.0 and outside(right, cell=COUNTED).marks == 1.0
    assert len(calls) == 2, "the second and third submission are judged by what is known"
    assert outside(right, cell=COUNTED, seed=12).marks == 1.0 and outside(wrong, cell=COUNTED, seed=12).marks == 0.0
    assert len(calls) == 4 and len(set(calls)) == 4, "another seed has other inputs and other values"
    other = COUNTED.replace("2 * x", "3 * x")
    assert outside(wrong, cell=other).marks == 1.0, "a mended oracle is another cell"


def test_an_error_of_an_oracle_is_not_kept(monkeypatch):
    right = "def double(x):\n    return x + x\n"
    cell = COUNTED.replace("double", "doubled_once_more").replace("points=1", "points=2")
    with pytest.raises(RuntimeError, match="oracle"):
        outside(right.replace("double", "doubled_once_more"), cell=cell)
    monkeypatch.setattr(builtins, "oracle_calls", [], raising=False)
    assert outside(right.replace("double", "doubled_once_more"), cell=cell).marks == 2.0


def test_known_mistakes_are_named_alike_from_memory():
    cell = """
import torch
from tformer_course.checks import Verify
verify = Verify("causal_mask", points=1)
for n in (3, 4):
    verify(f"{n} positions", lambda n: causal_mask(n), inputs=lambda draw: [n],
           expected=lambda n: torch.ones(n, n, dtype=torch.bool).tril())
verify.marks()
"""
    inverted = "import torch\ndef causal_mask(n):\n    return torch.ones(n, n, dtype=torch.bool).triu(1)\n"
    first, second = outside(inverted, cell=cell), outside(inverted, cell=cell)
    assert first == second and first.mistakes and len(first.mistakes) == 2
