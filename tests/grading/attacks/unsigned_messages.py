"""Messages that are not signed, or not messages.

cell: late
"""

socket = get_ipython().kernel.iopub_socket
socket.send_multipart([b"status", b"<IDS|MSG>", b"bad", b"{}", b"{}", b"{}", b"{}"])
