"""Live pictures for the stage: sliders whose answer Python computes.

Each name below makes one; the last line of a cell shows it. The picture is a plain output that is updated, not a
widget, so it stays in the notebook, with an alternative text that says what it shows, when there is no kernel.
"""

from tformer_course.lectures.widgets.alignment import beta_against_hacking, group_advantage
from tformer_course.lectures.widgets.attention import mask_painter, temperature
from tformer_course.lectures.widgets.audience import Audience, ask_models, preload
from tformer_course.lectures.widgets.cost import router_balance, window_cost
from tformer_course.lectures.widgets.live import Live
from tformer_course.lectures.widgets.rotation import rope_distance

__all__ = [
    "Audience",
    "Live",
    "ask_models",
    "beta_against_hacking",
    "group_advantage",
    "mask_painter",
    "preload",
    "rope_distance",
    "router_balance",
    "temperature",
    "window_cost",
]
