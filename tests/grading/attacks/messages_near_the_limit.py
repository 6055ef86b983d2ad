"""Forty messages, each just small enough to be taken.

cell: noise
answers: right
earns: 5
slow: yes
"""

kernel = get_ipython().kernel
text = "x" * (31 * 2**20)
for _ in range(40):
    kernel.session.send(kernel.iopub_socket, "display_data", {"data": {"text/plain": text}, "metadata": {}}, parent=kernel.get_parent())
