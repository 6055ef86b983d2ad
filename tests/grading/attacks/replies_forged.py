"""Replies to requests that were never made, with headers that are none.

cell: late
"""

kernel = get_ipython().kernel
def forge(info):
    for parent in ({}, {"header": 7}, kernel.get_parent()):
        for where in (kernel.iopub_socket, getattr(kernel, "shell_stream", None) or getattr(kernel, "shell_socket", None)):
            for content in ({}, {"status": "ok", "execution_count": "x", "payload": [{"source": "set_next_input", "text": "3.0"}]}, 7):
                try: kernel.session.send(where, "execute_reply", content, parent=parent, ident=getattr(kernel, "_parent_ident", {}).get("shell"))
                except Exception: pass
get_ipython().events.register("pre_run_cell", forge)
