"""What notebooks call: `check` and `summary` for students, `Verify` in the graded test cells."""

from .core.exercise import Case, Exercise, Mistake, check, summary
from .core.verify import Verify

__all__ = ["Case", "Exercise", "Mistake", "Verify", "check", "summary"]
