"""What is sent to a student's kernel: the test cell without its oracles, set to record."""

from __future__ import annotations

import ast
from functools import lru_cache

# Keywords of a judgement that must never reach the student's process.
SECRET = {"expected", "holds", "tol", "weight"}


class RewriteError(ValueError):
    """A test cell that does not have the form that can be judged outside."""


def _is_verify(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Verify"


class _Record(ast.NodeTransformer):
    """Sets every Verify to record, and takes the secret keywords out of every judgement."""

    def __init__(self, seed: int, names: set[str]) -> None:
        self.seed, self.names = seed, names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _is_verify(node):
            node.keywords.append(ast.keyword("record", ast.Constant(self.seed)))
        elif isinstance(node.func, ast.Name) and node.func.id in self.names:
            if len(node.args) > 3 or any(k.arg is None for k in node.keywords):
                raise RewriteError("a judgement gives `expected` and `holds` by keyword")
            node.keywords = [k for k in node.keywords if k.arg not in SECRET]
        return node


def _binds(node: ast.stmt) -> set[str]:
    """Names that a top-level statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).split(".")[0] for a in node.names}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return set()


def _uses(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


@lru_cache(1000)  # a class shares its tests
def for_kernel(source: str, seed: int) -> str:
    """The test cell as the student's kernel runs it: inputs are drawn, the answer is called, the outcome recorded.

    `expected=`, `holds=`, tolerances and weights are cut out of the syntax tree, and then every definition and
    import that only they used.

    Args:
        source: The whole test cell, hidden tests included.
        seed: Seed of the grading run.

    Returns:
        Source without comments.

    Raises:
        RewriteError: Where the cell has no Verify, or top-level statements other than definitions and judgements.
    """
    tree = ast.parse(source)
    names = {t.id for n in tree.body if isinstance(n, ast.Assign) and _is_verify(n.value) for t in n.targets}
    if not names:
        raise RewriteError("the test cell has no `verify = Verify(…)`")
    tree = _Record(seed, names).visit(tree)

    kept: dict[int, ast.stmt] = {}
    needed: set[str] = set()
    for i, node in enumerate(tree.body):
        judges = bool(_uses(node) & names) or bool(_binds(node) & names)
        plain = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)  # the cell's opening sentence
        if judges:
            kept[i] = node
            needed |= _uses(node)
        elif not _binds(node) and not plain:
            raise RewriteError(f"line {node.lineno}: only imports, definitions and judgements may stand in a test cell")
    grew = True
    while grew:
        grew = False
        for i, node in enumerate(tree.body):
            if i not in kept and _binds(node) & needed:
                kept[i] = node
                needed |= _uses(node)
                grew = True
    tree.body = [kept[i] for i in sorted(kept)]
    return ast.unparse(ast.fix_missing_locations(tree))
