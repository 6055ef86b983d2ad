"""Every cell is declared finished before it has begun.
"""

kernel = get_ipython().kernel

def idle(info):
    kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, parent=kernel.get_parent())

get_ipython().events.register("pre_run_cell", idle)
