"""An output widget tries to catch the outputs of later cells.
"""

import ipywidgets
box = ipywidgets.Output()
box.msg_id = "x"
with box:
    print("caught")
