"""Which modules a notebook and the checks of its exercises import."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable

from ..checks.core.exercise import find

CALLS = re.compile(r"""\b(?:check|Verify)\(\s*["'](\w+)["']""")
LAZY = {"transformers"}  # packages that load a part when it is first asked for: seconds in every kernel


def of_notebook(sources: Iterable[str]) -> set[str]:
    """Names of all modules that a notebook's cells will import, themselves or by the checks that they call.

    Args:
        sources: Text of the course's own code cells.
    """
    sources = list(sources)
    return modules([*sources, *_checks(name for source in sources for name in CALLS.findall(source))])


def modules(sources: Iterable[str]) -> set[str]:
    """Names of all modules that some texts import, anywhere in them; what is no Python is passed over."""
    found: set[str] = set()
    for source in sources:
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
                # `from package import module` loads the module too; what is no module is skipped when loading.
                found |= {f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*"}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in LAZY:
                found.add(f"{node.value.id}.{node.attr}")
    return found


def _checks(names: Iterable[str]) -> list[str]:
    """Source texts of the modules in which the checks of some exercises are written."""
    made = {}
    for exercise in filter(None, map(find, dict.fromkeys(names))):
        for case in exercise.cases:
            module = inspect.getmodule(case.inputs)
            if module is not None:
                made[module.__name__] = module
    return [inspect.getsource(module) for module in made.values()]
