"""The "claims checked" table of a chapter: what texts about Transformers say, and what holds."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

VERDICTS = {  # verdict → sign; never colour alone
    "correct": "✓",
    "correct with caveat": "≈",
    "wrong": "✗",
    "unverifiable as stated": "?",
    "not reproducible here": "–",
}
_ID = re.compile(r"[ABM]-\d{2,3}")


class ClaimError(AssertionError):
    """A computation that does not support the verdict beside it."""


@dataclass(frozen=True)
class Claim:
    """One row of the table; the fields are those of `ClaimsTable.add`."""

    ids: tuple[str, ...]
    statement: str
    verdict: str
    computed: bool | None
    correction: str
    source: str


class ClaimsTable:
    """Collects the claims of one chapter and shows them as one table.

    Args:
        chapter: Folder name, e.g. "01_attention".

    >>> claims = ClaimsTable("01_attention")
    >>> claims.add("A-014", "An RNN of n steps takes n steps one after the other", verdict="correct", computed=True)
    >>> claims.ids
    ('A-014',)
    """

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.rows: list[Claim] = []

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids so far, in order."""
        return tuple(i for row in self.rows for i in row.ids)

    def add(
        self,
        ids: str,
        statement: str,
        *,
        verdict: str,
        computed: bool | None = None,
        correction: str = "",
        source: str = "cited",
    ) -> None:
        """Adds one row.

        Args:
            ids: Ids of the claims that share the row, with blanks between: "A-017 B-007".
            statement: What is claimed, in our words.
            verdict: One of `VERDICTS`.
            computed: Whether a computation supports the verdict; None where nothing was computed.
            correction: The right version or the caveat; needed for every verdict but "correct".
            source: Where it stands: paper and equation, or "cited" for what is only known from text.

        Raises:
            ValueError: For an unknown verdict, a malformed or repeated id, or a missing correction.
        """
        names = tuple(ids.split())
        bad = [name for name in names if not _ID.fullmatch(name)]
        if bad or not names:
            raise ValueError(f"{', '.join(bad) or 'an empty text'} is no claim id; ids look like A-017")
        twice = [name for i, name in enumerate(names) if name in self.ids or name in names[:i]]
        if twice:
            raise ValueError(f"{', '.join(twice)} is in the table already")
        if verdict not in VERDICTS:
            raise ValueError(f"{verdict!r} is no verdict; known are {', '.join(VERDICTS)}")
        if verdict != "correct" and not correction:
            raise ValueError(f"{names[0]}: the verdict {verdict!r} needs a correction")
        # bool() also takes the truth value of a tensor or of NumPy.
        known = None if computed is None else bool(computed)
        self.rows.append(Claim(names, statement, verdict, known, correction, source))

    def html(self) -> str:
        """The table as HTML, every text escaped."""
        names = ("id", "claim", "verdict", "evidence", "correction or caveat")
        head = "".join(f'<th style="text-align:left">{name}</th>' for name in names)  # as its column
        body = "".join(f"<tr>{self._cells(row)}</tr>" for row in self.rows)
        return f"<table><caption>{html.escape(self._summary())}</caption><tr>{head}</tr>{body}</table>"

    def show(self, alt: str | None = None) -> None:
        """Displays the table.

        Args:
            alt: The finding in one sentence; it becomes the plain-text form. None takes the counts.

        Raises:
            ClaimError: Where a computation does not support its verdict; the message names the ids.
        """
        from IPython.display import display

        failed = [" ".join(row.ids) for row in self.rows if row.computed is False]
        if failed:
            raise ClaimError(f"the computation does not support the verdict on {', '.join(failed)}")
        display({"text/html": self.html(), "text/plain": alt or self._summary()}, raw=True)

    def _summary(self) -> str:
        computed = sum(len(row.ids) for row in self.rows if row.computed is not None)
        counts = {v: sum(len(row.ids) for row in self.rows if row.verdict == v) for v in VERDICTS}
        parts = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
        return f"{self.chapter}: {len(self.ids)} claims; {parts}; {computed} of the verdicts are computed here."

    def _cells(self, row: Claim) -> str:
        evidence = row.source if row.computed is None else f"computed ({row.source})"
        evidence = "computed here" if row.computed is not None and row.source == "cited" else evidence
        texts = (" ".join(row.ids), row.statement, f"{VERDICTS[row.verdict]} {row.verdict}", evidence, row.correction)
        return "".join(f'<td style="text-align:left;vertical-align:top">{html.escape(text)}</td>' for text in texts)


__all__ = ["VERDICTS", "Claim", "ClaimError", "ClaimsTable"]
