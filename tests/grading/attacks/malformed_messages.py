"""Messages without content, with odd types, with a wrong signature, and bytes that are none.
"""

kernel = get_ipython().kernel
parent = kernel.get_parent()
for kind, content in (
    ("stream", {}), ("stream", {"name": 1, "text": [1]}), ("display_data", {"data": 7}), ("error", {"traceback": 3}),
    ("execute_result", {"data": {"text/plain": {"a": 1}, "image/png": '"><script>'}}), ("status", {}), ("nonsense", {}),
    ("display_data", {"data": {"application/vnd.tformer.record+json": [1]}}), ("update_display_data", {"data": {}}),
    ("comm_open", {"comm_id": 1, "target_name": "jupyter.widget", "data": {"state": {"_model_name": "OutputModel"}}}),
    ("clear_output", {"wait": 3}), ("error", {"ename": "\ud800", "evalue": 5, "traceback": [5, "\ud800"]}),
):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent)
