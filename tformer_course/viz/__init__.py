"""Pictures of attention: heat maps, an explorer, a diagnosis, curves, and `show`, which adds the alternative text."""

from tformer_course.viz.curves import plot_curves
from tformer_course.viz.diagnosis import Diagnosis, diagnose_attention
from tformer_course.viz.explorer import explore_attention
from tformer_course.viz.figure import show
from tformer_course.viz.heatmap import plot_attention, plot_matrix

__all__ = [
    "Diagnosis",
    "diagnose_attention",
    "explore_attention",
    "plot_attention",
    "plot_curves",
    "plot_matrix",
    "show",
]
