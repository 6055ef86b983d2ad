"""Formulas whose links run script, and diagrams that are drawn by one.

answers: right
earns: 7
"""

from IPython.display import HTML, Latex, Markdown, display
for text in (r"$\href{javascript:alert(1)}{x}$", r"$&#92;href{javascript:alert(1)}{x}$", "```mermaid\ngraph LR\nA-->B\n```"):
    for kind in (HTML, Latex, Markdown): display(kind(text))
