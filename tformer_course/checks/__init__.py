"""What notebooks call: `check` and `summary` for students, `Verify` in the graded test cells."""

from .claims import ClaimsTable
from .core.exercise import Case, Exercise, Mistake, check, summary
from .core.verify import Verify
from .quiz import quiz

__all__ = ["Case", "ClaimsTable", "Exercise", "Mistake", "Verify", "check", "quiz", "summary"]
