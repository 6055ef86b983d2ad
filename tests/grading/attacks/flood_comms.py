"""Two thousand widgets.

slow: yes
"""

import ipywidgets
for i in range(2000): ipywidgets.IntSlider()
