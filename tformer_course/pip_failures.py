"""pip's long errors, in two sentences with the fix. Standard library only."""

import re
import sys
from pathlib import Path

# What pip says, and what a student should do. The first that is found counts.
FAILURES = (
    (
        r"No space left on device|\[Errno 28\]|There is not enough space",
        "The disk is full. Free about 3 GB (8 GB on Linux with a GPU build), then call this again.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError",
        "The secure connection was refused, as happens behind a company proxy. "
        "Ask your IT for its certificate and set PIP_CERT to that file, or use another network.",
    ),
    (
        r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|getaddrinfo failed|Max retries"
        r"|ConnectTimeout|ReadTimeout|Read timed out|Connection (refused|reset|aborted)|ProxyError"
        r"|Network is unreachable",
        "The network could not be reached. Check the connection (or the proxy: HTTPS_PROXY), then call this again: "
        "what was downloaded is kept.",
    ),
    (
        r"requires a different Python|Requires-Python|not in '>=3",
        "A package does not support this Python ({python}). Use Python 3.11, 3.12 or 3.13: python3.12 course.py lab.",
    ),
    (
        r"No matching distribution found for torch\b",
        "There is no torch for this machine (64-bit Linux or Windows, or a Mac with an Apple chip, is needed) "
        "with this Python ({python}). Use another machine or another Python (3.11 to 3.13, 64 bit).",
    ),
    (
        r"Permission denied|\[Errno 13\]|Access is denied|Read-only file system",
        "This folder can't be written to. Copy the course to a folder of your own, and close programs that use it.",
    ),
)


def explain(output: str, log: Path) -> str:
    """Turn pip's output into two sentences with the fix."""
    for pattern, text in FAILURES:
        if re.search(pattern, output):
            return text.format(python="{}.{}.{}".format(*sys.version_info[:3])) + f"\n(All that pip said: {log})"
    errors = [line.strip() for line in output.splitlines() if line.strip().lower().startswith("error")]
    last = errors[-1] if errors else (output.strip().splitlines() or ["no message"])[-1]
    return f"The installation failed: {last[:300]}\nCall this again; if it fails again, show {log} to your instructor."
