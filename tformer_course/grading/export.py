"""Grades for a learning platform, by nbgrader's exporter plugins: one row per student, one column per assignment.

    nbgrader export --exporter tformer_course.grading.export.CanvasExportPlugin --to canvas.csv
    nbgrader export --exporter tformer_course.grading.export.MoodleExportPlugin --to moodle.csv

nbgrader's own exporter writes one row per student and assignment, which neither platform imports.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.plugins import ExportPlugin

from .table import spreadsheet_cell


class WideExportPlugin(ExportPlugin):
    """One row per student. A submission that was not handed in is an empty cell; whoever imports decides what it is."""

    def export(self, gradebook: Gradebook) -> None:
        """Writes the file named by `--to`; `--assignment` and `--student` choose."""
        chosen = [a for a in gradebook.assignments if not self.assignment or a.name in map(str, self.assignment)]
        people = [s for s in gradebook.students if not self.student or s.id in map(str, self.student)]
        with open(self.to or self.usual, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow([*self.columns, *(a.name for a in chosen)])
            for row in self.extra_rows(chosen):
                rows.writerow(row)
            for student in people:
                marks = [score(gradebook, assignment, student) for assignment in chosen]
                rows.writerow([*map(spreadsheet_cell, self.person(student)), *marks])
        waiting = sum(_needs_hand(gradebook, a, s) for a in chosen for s in people)
        if waiting:
            self.log.warning("%d submissions still wait for marks by hand; their scores lack these.", waiting)

    usual = "grades.csv"
    columns: tuple[str, ...] = ()

    def person(self, student: Student) -> list[str]:
        """What says who the student is, one text for each of `columns`."""
        raise NotImplementedError

    def extra_rows(self, chosen: list[Assignment]) -> Iterator[list]:
        """Rows between the head and the students."""
        yield from ()


class CanvasExportPlugin(WideExportPlugin):
    """Canvas's gradebook import: names, login, a row of points. Canvas finds students by `SIS Login ID`."""

    usual = "canvas.csv"
    columns = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")

    def person(self, student: Student) -> list[str]:
        """Name, and nbgrader's student id as the login."""
        return [_name(student), "", "", student.id, ""]

    def extra_rows(self, chosen: list[Assignment]) -> Iterator[list]:
        """What each column can earn."""
        yield ["    Points Possible", "", "", "", "", *(f"{a.max_score:g}" for a in chosen)]


class MoodleExportPlugin(WideExportPlugin):
    """Moodle's grade import (CSV file): map `username` or `email` to the user, every other column to a grade item."""

    usual = "moodle.csv"
    columns = ("username", "firstname", "lastname", "email")

    def person(self, student: Student) -> list[str]:
        """nbgrader's student id as the username."""
        return [student.id, student.first_name or "", student.last_name or "", student.email or ""]


def score(gradebook: Gradebook, assignment: Assignment, student: Student) -> str:
    """Marks less the penalty for lateness, never below 0; empty where nothing was handed in."""
    try:
        found = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return ""
    return f"{max(0.0, found.score - (found.late_submission_penalty or 0.0)):g}"


def _needs_hand(gradebook: Gradebook, assignment: Assignment, student: Student) -> bool:
    try:
        return bool(gradebook.find_submission(assignment.name, student.id).needs_manual_grade)
    except MissingEntry:
        return False


def _name(student: Student) -> str:
    names = [n for n in (student.last_name, student.first_name) if n]
    return ", ".join(names) or student.id
