"""One message of thirty megabytes that becomes a gigabyte when it is read.

cell: noise
answers: right
earns: 5
slow: yes
"""

class Written(bytes): pass

kernel = get_ipython().kernel
kernel.session.pack = lambda tree: b'{"data": {"text/plain": [' + b"[]," * 10_000_000 + b"[]]}}" if "data" in tree else __import__("json").dumps(tree, default=str).encode()
kernel.session.send(kernel.iopub_socket, "display_data", {"data": {}}, parent=kernel.get_parent())
