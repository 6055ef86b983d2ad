"""docs/claims.md: every claim of the two older texts: verdict, correction, source, and the cells that compute it.

    python -m tests.reports.claims            compares the page with the notebooks
    python -m tests.reports.claims --write    writes it

The rows are read from the notebooks' claims tables, not run: that a verdict is supported by its computation is the
table's own test, in every run of a notebook.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tformer_course.checks.claims import VERDICTS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "claims.md"
LEDGER = ROOT / "tests" / "notebooks" / "claims_verdicts.json"
HEAD = """# Claims checked

The course succeeds two older texts: a lecture script (ids A-…) and an article (ids B-…). Each of their {count} claims
has a verdict in the notebook that teaches its matter, and so has each of {missing} topics that both leave out (M-…).
“Computed” means that a cell of that notebook computes the evidence, and that the notebook fails where the evidence does
not support the verdict. The links name the cells; JupyterLab opens them there. Numbers in braces are put in by the run.
This page is made by `python -m tests.reports.claims --write`.

{counts}
"""
COLUMNS = ("| id | claim | verdict | correction or caveat | evidence |", "|---|---|---|---|---|")


@dataclass(frozen=True)
class Row:
    """One call of `ClaimsTable.add`: its texts, and the cells that its computation rests on."""

    chapter: str
    path: str
    ids: tuple[str, ...]
    statement: str
    verdict: str
    correction: str
    source: str
    computed: bool
    cells: tuple[str, ...]


def rows(path: Path) -> list[Row]:
    """The claims of one notebook, in their order."""
    notebook = nbformat.read(path, as_version=4)
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    found: list[Row] = []
    for i, cell in enumerate(cells):
        if "ClaimsTable(" not in cell.source:
            continue
        for call in ast.walk(ast.parse(cell.source)):
            if isinstance(call, ast.Call) and _is_add(call) and len(call.args) == 2:
                found.append(_row(call, path, cells[: i + 1]))
    return found


def _is_add(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name == "add" and any(k.arg == "verdict" for k in call.keywords)


def _row(call: ast.Call, path: Path, cells: list[NotebookNode]) -> Row:
    given = {k.arg: k.value for k in call.keywords}
    evidence = given.get("computed")
    computed = evidence is not None and not (isinstance(evidence, ast.Constant) and evidence.value is None)
    return Row(
        chapter=path.parent.name,
        path=f"../notebooks/{path.parent.name}/{path.name}",
        ids=tuple(_text(call.args[0]).split()),
        statement=_text(call.args[1]),
        verdict=_text(given["verdict"]),
        correction=_text(given.get("correction")),
        source=_text(given.get("source")),
        computed=computed,
        cells=_sources(evidence, cells) if computed else (),
    )


def _text(node: ast.expr | None) -> str:
    """A literal's text; what an f-string computes stays in braces."""
    if node is None:
        return ""
    if isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else f"{{{ast.unparse(v.value)}}}" for v in node.values)
        return "".join(parts)
    return str(ast.literal_eval(node))


def _sources(evidence: ast.expr, cells: list[NotebookNode]) -> tuple[str, ...]:
    """Ids of the cells that last bind the names in an expression, and of the table itself."""
    found = []
    for name in dict.fromkeys(n.id for n in ast.walk(evidence) if isinstance(n, ast.Name)):
        binding = [c.id for c in cells[:-1] if name in _bound(c.source) and not c.id.startswith("setup")]
        found += binding[-1:]
    return tuple(dict.fromkeys([*found, cells[-1].id]))


@cache
def _bound(source: str) -> frozenset[str]:
    """Names that a cell binds, but for imports: where a module was imported is no evidence."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return frozenset(names)


def everything() -> list[Row]:
    """The claims of all notebooks."""
    return [row for path in sorted((ROOT / "solutions").glob("*/*.ipynb")) for row in rows(path)]


def problems(found: list[Row]) -> list[str]:
    """Ids that no notebook has, and verdicts that are not the ledger's."""
    ledger = json.loads(LEDGER.read_text(encoding="utf-8"))
    verdicts: dict[str, set[str]] = {}
    for row in found:
        for name in row.ids:
            verdicts.setdefault(name, set()).add(row.verdict)
    wrong = [f"{name} is in no notebook" for name in ledger if name not in verdicts]
    for name, given in verdicts.items():
        wanted = ledger.get(name, "")
        if wanted and given != {wanted}:
            wrong.append(f"{name}: the ledger says {wanted!r}, the notebooks say {', '.join(sorted(given))}")
    return wrong


def page(found: list[Row]) -> str:
    """The page as Markdown: one table for each chapter."""
    ledger = json.loads(LEDGER.read_text(encoding="utf-8"))
    counts = {v: sum(x == v for x in ledger.values()) for v in VERDICTS}
    said = ", ".join(f"{n} {v}" for v, n in counts.items())
    computed = {name for row in found if row.computed for name in row.ids}
    total = sum(bool(v) for v in ledger.values())
    counts = f"Of the {total} claims: {said}. Computed: {sum(n in computed for n in ledger)} of {len(ledger)} ids."
    lines = [HEAD.format(count=total, missing=len(ledger) - total, counts=counts)]
    for chapter in dict.fromkeys(row.chapter for row in found):
        lines += [f"## {chapter}", "", *COLUMNS]
        lines += [_line(row) for row in found if row.chapter == chapter]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _line(row: Row) -> str:
    links = ", ".join(f"[{name}]({row.path}#cell-id={name})" for name in row.cells)
    computed = f"computed: {links}" + (f"; {row.source}" if row.source else "")
    evidence = computed if row.computed else row.source or "cited"
    texts = (" ".join(row.ids), row.statement, f"{VERDICTS[row.verdict]} {row.verdict}", row.correction, evidence)
    return "| " + " | ".join(t.replace("|", "\\|").replace("\n", " ") for t in texts) + " |"


def main() -> int:
    """Compares or writes; returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    found = everything()
    wrong = problems(found)
    if parser.parse_args().write:
        PAGE.write_text(page(found), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page(found):
        wrong.append("docs/claims.md is not up to date: python -m tests.reports.claims --write")
    print("\n".join(wrong) or f"{len(found)} rows; all ids are there, all verdicts agree.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
