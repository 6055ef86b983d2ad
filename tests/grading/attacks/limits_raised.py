"""Limits are raised again.

answers: right
earns: 7
"""

import resource
for kind in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU):
    soft, hard = resource.getrlimit(kind)
    assert hard != resource.RLIM_INFINITY
    try: resource.setrlimit(kind, (soft, hard + 1)); raise SystemExit("raised")
    except (ValueError, PermissionError): pass
