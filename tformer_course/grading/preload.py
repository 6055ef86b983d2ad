"""Which modules a notebook imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def modules(sources: Iterable[str]) -> set[str]:
    """Names of all modules that some cells import, anywhere in them; cells that are no Python are passed over."""
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
    return found
