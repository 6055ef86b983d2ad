"""Script in every kind of output.

answers: right
earns: 7
"""

from IPython.display import HTML, Javascript, Latex, Markdown, SVG, display
bad = "<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:alert(1)'>x</a><iframe src='//evil'></iframe>"
for kind in (HTML, Latex, Markdown): display(kind(bad))
display(Javascript("alert(1)"))
display({"image/png": '"><script>alert(1)</script>', "image/svg+xml": "<svg onload=alert(1)></svg>"}, raw=True)
print(bad)
raise ValueError(bad)
