"""Feedback pages without hidden tests: an nbgrader preprocessor for `GenerateFeedback`.

nbgrader puts the whole autograded notebook on the page: hidden tests, and the tracebacks that quote them
(jupyter/nbgrader#917, #1363). Its own ClearHiddenTests, added to the feedback, takes the source away and leaves the
tracebacks. Here both go, and so does every output that repeats a hidden line.
"""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor

from .rewrite import for_kernel

EDGE = re.compile(r"(BEGIN|END) (HIDDEN TESTS|SOLUTION|MARK SCHEME)")
JUST_A_NAME = re.compile(r"""\s*f?(["']).*\1,?\s*""")  # a judgement's name on a line of its own; students read it
REMOVED = "[removed: this output repeats a hidden test]"
MIN_LENGTH = 16  # shorter lines, such as `return x`, may be anybody's


def squash(text: str) -> str:
    """Letters and digits only, so that colours, quoting and line breaks cannot hide a line."""
    text = re.sub(r"\x1b\[[0-9;]*m|\\+[nt]", " ", text)
    return "".join(c for c in text if c.isalnum())


def divided(source: str) -> tuple[str, list[str]]:
    """A cell's source without its hidden regions, and the lines of these. A region that does not end is none.

    One pass over the lines: a student may hand in thousands of beginnings.
    """
    lines = source.split("\n")
    edges = [dict(reversed(pair) for pair in EDGE.findall(line)) for line in lines]  # kind → BEGIN or END
    ends: dict[str, list[int]] = {}
    for i in reversed(range(len(lines))):
        for kind, edge in edges[i].items():
            if edge == "END":
                ends.setdefault(kind, []).append(i)
    shown, hidden, at = [], [], 0
    while at < len(lines):
        until = at
        for kind, edge in edges[at].items():
            later = ends.get(kind, [])
            while later and later[-1] <= at:
                later.pop()
            if edge == "BEGIN" and later:
                until = later[-1]
        if until > at:
            hidden += lines[at + 1 : until]
        else:
            shown.append(lines[at])
        at = until + 1
    return "\n".join(shown), hidden


def _as_sent(source: str) -> set[str]:
    """The squashed lines of a test cell as a student's kernel gets them; none where it is no such cell."""
    try:
        return {squash(line) for line in for_kernel(source, 1).splitlines()}
    except (ValueError, SyntaxError):
        return set()


def hidden_lines(notebook: NotebookNode) -> set[str]:
    """The squashed lines of all hidden regions that stand nowhere else, as written and as sent to the kernel."""
    hidden: set[str] = set()
    shown = ""
    for cell in notebook.cells:
        rest, lines = divided(cell.source)
        hidden |= {squash(line) for line in lines if not JUST_A_NAME.fullmatch(line)}
        if cell.cell_type == "code" and lines:
            hidden |= _as_sent(cell.source) - _as_sent(rest)
        shown += squash(rest) + "\n"
    return {line for line in hidden if len(line) >= MIN_LENGTH and line not in shown}


def _strings(tree: Any) -> str:
    """All text of an output, joined."""
    if isinstance(tree, dict):
        return "".join(_strings(v) for v in tree.values())
    return "".join(_strings(v) for v in tree) if isinstance(tree, list) else str(tree)


def _repeats(output: NotebookNode, hidden: set[str]) -> bool:
    text = squash(_strings(output))
    return any(line in text for line in hidden)


def _error_in_one_line(output: NotebookNode) -> NotebookNode:
    """An error of a test cell without its traceback, which would quote the cell."""
    name, says = str(output.get("ename", "Error")), " ".join(str(output.get("evalue", "")).split())
    return NotebookNode(output_type="error", ename=name, evalue=says[:300], traceback=[f"{name}: {says[:300]}"])


class HideTests(NbGraderPreprocessor):
    """Takes hidden regions, tracebacks of test cells and outputs that repeat a hidden line off a feedback page."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Changes the notebook that the page is made from; the autograded file keeps all for the instructor."""
        hidden = hidden_lines(nb)
        for cell in nb.cells:
            cell.source = divided(cell.source)[0].rstrip("\n")
            if cell.cell_type != "code":
                continue
            test = utils.is_grade(cell) and not utils.is_solution(cell)
            outputs = [_error_in_one_line(o) if test and o.output_type == "error" else o for o in cell.outputs]
            cell.outputs = [
                NotebookNode(output_type="stream", name="stdout", text=REMOVED) if _repeats(o, hidden) else o
                for o in outputs
            ]
        return nb, resources
