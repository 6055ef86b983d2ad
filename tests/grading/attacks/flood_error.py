"""An error message of ten megabytes, with markup.
"""

raise ValueError('<script>alert(1)</script>' * 400_000)
