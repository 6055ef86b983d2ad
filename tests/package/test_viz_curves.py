"""Curves with their spread over seeds, and matrices that are not attention."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tformer_course.viz import plot_curves, plot_matrix
from tformer_course.viz.figure import png_bytes


def test_seeds_are_a_mean_and_a_band():
    figure = plot_curves([1, 2], {"a": [[0.0, 1.0], [2.0, 5.0]], "b": [1.0, 1.0]})
    axes = figure.axes[0]
    assert axes.lines[0].get_ydata().tolist() == [1.0, 3.0]
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (0.0, 5.0)
    assert "2 seeds" in axes.get_legend().get_title().get_text()


def test_lines_differ_in_more_than_colour():
    figure = plot_curves([1, 2], {str(index): [index, index] for index in range(7)})
    looks = [(line.get_linestyle(), str(line._dash_pattern), line.get_marker()) for line in figure.axes[0].lines]
    assert len(set(looks)) == 7
    assert len({line.get_marker() for line in figure.axes[0].lines}) == 7


def test_curves_of_another_length_are_refused():
    with pytest.raises(ValueError, match="3 points for 2 values"):
        plot_curves([1, 2], {"a": [1, 2, 3]})
    with pytest.raises(ValueError, match="0 entries"):
        plot_curves([1, 2], {})


def test_signed_matrix_is_centred_on_zero():
    figure = plot_matrix([[-1.0, 0.0], [0.0, 3.0]])
    image = figure.axes[0].images[0]
    assert image.get_clim() == (-3, 3)
    assert plot_matrix([[1.0, 3.0]]).axes[0].images[0].get_clim() == (1, 3)


def test_matrix_shows_masked_scores_and_refuses_nan():
    figure = plot_matrix([[1.0, -np.inf], [1.0, 2.0]])
    assert "−∞" in [text.get_text() for text in figure.axes[0].texts]
    png_bytes(figure)
    png_bytes(plot_matrix(torch.zeros(3, 3)))
    with pytest.raises(ValueError, match="1 of 2 entries are NaN"):
        plot_matrix([[1.0, np.nan]])
    with pytest.raises(ValueError, match="got 1 axes"):
        plot_matrix([1.0])
    with pytest.raises(ValueError, match="1 row labels for 2 rows"):
        plot_matrix(np.eye(2), ["a"])
