"""Every later cell is replaced by `pass` before it runs.
"""

get_ipython().input_transformers_post.append(lambda lines: ['pass\n'])
