"""Pictures of attention: heat maps, curves, and `show`, which gives each its alternative text."""

from tformer_course.viz.curves import plot_curves
from tformer_course.viz.figure import show
from tformer_course.viz.heatmap import plot_attention, plot_matrix

__all__ = ["plot_attention", "plot_curves", "plot_matrix", "show"]
