"""A trace function changes what the recorder sees.
"""

import sys, threading

def trace(frame, event, arg):
    if "error" in frame.f_locals and event == "return":
        frame.f_locals["error"] = None
    return trace

sys.settrace(trace)
threading.settrace(trace)
