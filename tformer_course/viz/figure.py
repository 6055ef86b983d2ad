"""Show a figure with an alternative text, and the look that all figures of the course share."""

from __future__ import annotations

import base64
import html
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from tformer_course.viz.weights import font_families

SCREEN_DPI = 100  # CSS pixels per inch: a 10-point letter is 14 pixels high
PNG_DPI = 150  # pixels drawn per inch, so that the picture stays sharp on a dense screen


@contextmanager
def course_style() -> Iterator[None]:
    """The look of the course's figures: white, letters of 10 points or more, whatever style the notebook has set."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": list(font_families()),
                "font.size": 11,
                "axes.titlesize": 12,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "xtick.labelsize": 10,
                "ytick.labelsize": 10,
                "legend.fontsize": 10,
                "figure.facecolor": "white",
                "figure.dpi": SCREEN_DPI,
            }
        )
        yield


def png_bytes(figure: Figure, dpi: float | None = None) -> bytes:
    """Draw the figure on an opaque white background; the same figure gives the same bytes.

    `figure.savefig` would draw everything twice, the first time only to place it, and keep an alpha channel.
    """
    before = figure.dpi, figure.get_facecolor(), figure.canvas
    try:
        figure.dpi = dpi or getattr(figure, "png_dpi", PNG_DPI)
        figure.set_facecolor("white")
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    finally:
        figure.dpi, canvas_before = before[0], before[2]
        figure.set_facecolor(before[1])
        figure.set_canvas(canvas_before)
    buffer = io.BytesIO()
    # The default level of 6 takes twice the time for a tenth less; a dense picture hardly repeats but in runs.
    strategy = zlib.Z_RLE if hasattr(figure, "png_dpi") else zlib.Z_DEFAULT_STRATEGY
    pixels.save(buffer, format="png", compress_level=3, compress_type=strategy)
    return buffer.getvalue()


def show(figure: Figure, alt: str | None = None, *, save: str | Path | None = None) -> None:
    """Display a figure in the notebook as an image with an alternative text.

    Matplotlib's own output has no alternative text. This one is HTML with `<img alt=…>`, which JupyterLab, untrusted
    notebooks and exported pages all keep.

    Args:
        figure: what `plot_attention` and the like return, or any matplotlib figure. A pyplot figure is closed, so that
            the notebook does not draw it a second time.
        alt: one or two sentences that say the finding ("row 5 puts 0.8 on token 2"). May be left out only where the
            figure carries one already (`plot_attention(…, alt=…)`).
        save: also write the PNG to this path.

    Raises:
        ValueError: there is no alternative text.
    """
    from IPython.display import display

    alt = alt if alt is not None else getattr(figure, "alt_text", None)
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"show needs alt=…, a sentence that says what the figure shows; got {alt!r}")
    png = png_bytes(figure)
    if save is not None:
        Path(save).write_bytes(png)
    width = round(figure.get_figwidth() * SCREEN_DPI)
    display({"text/html": image_html(png, alt, width), "text/plain": alt.strip()}, raw=True)
    pyplot = sys.modules.get("matplotlib.pyplot")  # a figure made without pyplot needs no closing
    if pyplot is not None:
        pyplot.close(figure)


def image_html(png: bytes, alt: str, width: int) -> str:
    """An `<img>` with the picture inside it; both the text and the size are safe to put into a page."""
    source = base64.b64encode(png).decode("ascii")
    return (
        f'<img alt="{html.escape(alt.strip())}" width="{int(width)}" '
        f'style="max-width:100%;height:auto;background:#fff" src="data:image/png;base64,{source}">'
    )
