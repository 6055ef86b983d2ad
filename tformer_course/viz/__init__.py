"""Pictures of attention: heat maps, an explorer, curves, and `show`, which gives each its alternative text."""

from tformer_course.viz.curves import plot_curves
from tformer_course.viz.explorer import explore_attention
from tformer_course.viz.figure import show
from tformer_course.viz.heatmap import plot_attention, plot_matrix

__all__ = ["explore_attention", "plot_attention", "plot_curves", "plot_matrix", "show"]
