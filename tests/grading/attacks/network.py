"""Connections out, and to the grader's own machine.

answers: right
earns: 7
"""

import socket
reached = []
for address in (("127.0.0.1", HOST_PORT), ("192.0.2.1", 80), ("169.254.169.254", 80)):
    try:
        socket.create_connection(address, timeout=1).send(b"x")
        reached.append(address)
    except OSError: pass
assert reached == [], reached
