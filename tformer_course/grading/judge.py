"""The verdict on a test cell, outside the student's process: recorded values against the oracle."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..checks.core.records import MAX_BYTES, MIME, RecordError, decode
from ..checks.core.run import NOT_DONE, Outcome
from ..checks.core.verify import Judging, judging


@dataclass(frozen=True)
class Verdict:
    """Marks of one test cell.

    `lines` are the sentences that student and instructor read; `mistakes` the ids of known mistakes that were seen.
    """

    marks: float
    points: float
    lines: tuple[str, ...]
    mistakes: tuple[str, ...] = ()


def read_records(outputs: Iterable[dict[str, Any]]) -> dict[str, Outcome]:
    """The outcomes that a test cell recorded. Nothing in them is trusted; a name that comes twice counts as failed."""
    outcomes: dict[str, Outcome] = {}
    for output in outputs:
        text = output.get("data", {}).get(MIME) if output.get("output_type") == "display_data" else None
        if text is None:
            continue
        try:
            record = json.loads(text) if isinstance(text, str) and len(text) < 4 * MAX_BYTES else text
            name = str(record["name"])
            if name in outcomes:
                outcomes[name] = Outcome(error="it was recorded twice")
            elif isinstance(record.get("error"), str):
                outcomes[name] = Outcome(error=_plain(record["error"]))
            else:
                gradients = decode(record["gradients"]) if "gradients" in record else None
                outcomes[name] = Outcome(decode(record["value"]), gradients, modified=record.get("modified") is True)
        except (RecordError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue  # a damaged record is no record: its judgement fails as a missing one
    return outcomes


def _plain(text: str) -> str:
    """A student's error text, fit for one line of a page: printable characters, at most 400."""
    return "".join(c if c.isprintable() else " " for c in text)[:400]


@functools.lru_cache(maxsize=64)
def _known(source: str, seed: int) -> dict:
    """What oracles and known mistakes gave for one test cell: the same for every submission, so computed once."""
    return {}


def verdict(source: str, outcomes: dict[str, Outcome], seed: int) -> Verdict:
    """Runs a test cell's judgements on recorded outcomes.

    The cell itself says which judgements there are, so an outcome that was not recorded is a failed one, and one
    that no judgement asks for is ignored.

    Args:
        source: The whole test cell as the course has it, hidden tests included. It is trusted and executed here.
        outcomes: From `read_records`.
        seed: Seed of the grading run, the same as for the kernel.
    """
    with judging(Judging(seed, outcomes, _known(source, seed))) as outside:
        exec(compile(source, "<test cell>", "exec"), {"__name__": "__test_cell__"})
    marks = min(max(outside.marks, 0.0), outside.points)
    return Verdict(marks, outside.points, tuple(outside.lines), tuple(outside.mistakes))


def outputs_of(decided: Verdict) -> list[dict[str, Any]]:
    """Cell outputs that show a verdict, as nbgrader reads marks: the sentences, then the number."""
    text = "\n".join(decided.lines) + "\n"
    return [
        {"output_type": "stream", "name": "stdout", "text": text},
        {
            "output_type": "execute_result",
            "data": {"text/plain": repr(decided.marks)},
            "metadata": {},
            "execution_count": None,
        },
    ]


__all__ = ["NOT_DONE", "Verdict", "outputs_of", "read_records", "verdict"]
