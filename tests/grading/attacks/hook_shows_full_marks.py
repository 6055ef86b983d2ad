"""A hook shows a result of 3.0 before each cell runs.
"""

from IPython.display import display

def show(info):
    get_ipython().displayhook(3.0)
    display({"text/plain": "3.0"}, raw=True)

get_ipython().events.register("pre_run_cell", show)
