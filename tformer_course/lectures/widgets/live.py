"""What all live pictures share: controls, a figure that is changed and not drawn anew, an answer within 0.1 s."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from tformer_course.viz.figure import SCREEN_DPI, image_html

DPI = 110  # pixels per inch: sharp enough on a projector, and drawn in a few hundredths of a second


class Live:
    """Controls, and a picture that follows them.

    Args:
        figure: What does not move in it is drawn once.
        moving: The artists that `update` changes; they alone are drawn for each answer.
        update: Takes the controls' values by name, changes the artists, and returns the alternative text.
        controls: Name → an ipywidgets control; all of them can be reached and moved by the keyboard.
        layout: How the controls are shown; below each other unless it is given.
    """

    def __init__(
        self,
        figure: Figure,
        moving: Sequence[Artist],
        update: Callable[..., str],
        controls: Mapping[str, ipywidgets.Widget],
        layout: ipywidgets.Widget | None = None,
    ) -> None:
        self.figure, self.moving, self.update, self.controls = figure, moving, update, dict(controls)
        self._still: Any = None  # the drawn figure without what moves
        self.box = layout or ipywidgets.VBox(list(self.controls.values()))
        self.seconds: list[float] = []  # what each answer took in Python
        self._shown: Any = None
        for control in self.controls.values():
            control.observe(self._changed, names="value")

    def answer(self) -> str:
        """The picture for the present values, as HTML with an alternative text."""
        began = time.perf_counter()
        alt = self.update(**{name: control.value for name, control in self.controls.items()})
        page = image_html(self._png(), alt, round(self.figure.get_figwidth() * SCREEN_DPI))
        self.seconds.append(time.perf_counter() - began)
        self.alt = alt
        return page

    def _png(self) -> bytes:
        """The picture. A whole draw takes 0.1 s, most of it for axes that have not changed."""
        if self._still is None:
            self.figure.dpi = DPI
            self.canvas = FigureCanvasAgg(self.figure)
            for artist in self.moving:
                artist.set_animated(True)  # left out of a whole draw
            self.canvas.draw()
            self._still = self.canvas.copy_from_bbox(self.figure.bbox)
        self.canvas.restore_region(self._still)
        for artist in self.moving:
            self.figure.draw_artist(artist)
        pixels = Image.fromarray(np.asarray(self.canvas.buffer_rgba())).convert("RGB")
        buffer = io.BytesIO()
        pixels.save(buffer, format="png", compress_level=1)
        return buffer.getvalue()

    def _changed(self, change: dict) -> None:
        if self._shown is not None:
            self._shown.update({"text/html": self.answer(), "text/plain": self.alt}, raw=True)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self.box)
        page = self.answer()
        self._shown = display({"text/html": page, "text/plain": self.alt}, raw=True, display_id=True)


def slider(description: str, value: float, low: float, high: float, step: float) -> ipywidgets.Widget:
    """A slider for whole numbers where `step` is one, else for real ones; arrow keys move it by one step."""
    kind = ipywidgets.IntSlider if isinstance(step, int) else ipywidgets.FloatSlider
    return kind(value=value, min=low, max=high, step=step, description=description, **_wide())


def log_slider(description: str, value: float, low: float, high: float, step: float, base: float = 10.0):
    """A slider for the exponent: from base^low to base^high."""
    return ipywidgets.FloatLogSlider(
        value=value, base=base, min=low, max=high, step=step, description=description, readout_format=".3g", **_wide()
    )


def tick(description: str, value: bool) -> ipywidgets.Widget:
    """A box to tick."""
    return ipywidgets.Checkbox(value=value, description=description, indent=False)


def choice(description: str, options: list, value: Any) -> ipywidgets.Widget:
    """One of a few."""
    return ipywidgets.Dropdown(options=options, value=value, description=description, **_wide())


def _wide() -> dict:
    return {"style": {"description_width": "180px"}, "layout": ipywidgets.Layout(width="620px")}
