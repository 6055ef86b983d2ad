"""Figures: what is drawn is what was given, on one scale, with any text, quickly, and never without words."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
import torch
from matplotlib import colormaps
from matplotlib.text import Text
from PIL import Image

from tformer_course.viz import plot_attention, plot_curves, plot_matrix, show
from tformer_course.viz.figure import PNG_DPI, png_bytes
from tformer_course.viz.weights import label_text

HOSTILE = [
    "$x^2$",
    "</script>",
    "<img onerror=alert(1)>",
    "中文",
    "😀",
    "a\nb",
    "\u200b",
    "\u202eabc",
    "שלום",
    "",
    "\\frac",
]
VIRIDIS_0, VIRIDIS_1 = (68, 1, 84), (253, 231, 36)


def softmax(*shape: int, seed: int = 0) -> torch.Tensor:
    """Random attention weights of a shape."""
    return torch.softmax(2 * torch.randn(shape, generator=torch.Generator().manual_seed(seed)), -1)


def cells(figure) -> np.ndarray:
    """The image of a heat map, `(rows, columns, 4)`."""
    return np.asarray(figure.axes[0].images[0].get_array())


def labels(figure, axis: str) -> list[str]:
    """Tick labels of a heat map."""
    return [tick.get_text() for tick in getattr(figure.axes[0], f"get_{axis}ticklabels")()]


@pytest.fixture
def shown(monkeypatch):
    """What `show` hands to the notebook."""
    outputs: list[dict] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: outputs.append(data))
    return outputs


# show


def test_show_emits_an_opaque_image_with_its_words(shown):
    show(plot_attention(softmax(3, 3)), alt='row 1 puts "0.8" on <b> & more')
    page = shown[0]["text/html"]
    assert 'alt="row 1 puts &quot;0.8&quot; on &lt;b&gt; &amp; more"' in page
    png = base64.b64decode(re.search(r"base64,([^\"]+)", page).group(1))
    image = Image.open(io.BytesIO(png))
    assert image.mode == "RGB"  # no alpha channel
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert shown[0]["text/plain"] == 'row 1 puts "0.8" on <b> & more'


@pytest.mark.parametrize("alt", [None, "", "  \n", 3])
def test_show_refuses_a_figure_without_words(shown, alt):
    with pytest.raises(ValueError, match="alt="):
        show(plot_attention(softmax(3, 3)), alt=alt)
    assert shown == []


def test_words_given_with_the_plot_are_used(shown):
    show(plot_attention(softmax(3, 3), alt="the words"))
    assert 'alt="the words"' in shown[0]["text/html"]


def test_show_closes_a_pyplot_figure(shown):
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(facecolor="black")
    axes.plot([1, 2])
    show(figure, alt="a line")
    png = base64.b64decode(re.search(r"base64,([^\"]+)", shown[0]["text/html"]).group(1))
    assert Image.open(io.BytesIO(png)).getpixel((0, 0)) == (255, 255, 255)
    assert not pyplot.fignum_exists(figure.number)


def test_show_writes_a_file_only_where_asked(shown, tmp_path):
    show(plot_attention(softmax(3, 3)), alt="x")
    assert list(tmp_path.iterdir()) == []
    show(plot_attention(softmax(3, 3)), alt="x", save=tmp_path / "map.png")
    assert Image.open(tmp_path / "map.png").format == "PNG"


def test_same_figure_gives_the_same_bytes():
    assert png_bytes(plot_attention(softmax(4, 4))) == png_bytes(plot_attention(softmax(4, 4)))


@pytest.mark.slow
def test_viz_needs_neither_pyplot_nor_a_display():
    code = (
        "import sys; from tformer_course.viz import plot_attention; from tformer_course.viz.figure import png_bytes;"
        "png_bytes(plot_attention([[1.0]])); print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


# plot_attention


def test_scale_is_fixed_from_0_to_1():
    image = cells(plot_attention([[0.0, 1.0], [0.25, 0.5]]))
    assert tuple(image[0, 0, :3]) == VIRIDIS_0
    assert tuple(image[0, 1, :3]) == VIRIDIS_1
    faint = plot_attention([[0.2, 0.2], [0.2, 0.1]])  # 0.2 is level 51, although it is the largest here
    assert cells(faint)[0, 0].tolist() == list(colormaps["viridis"](51, bytes=True))
    assert faint.axes[0].child_axes[0].get_ylim() == (0, 1)  # the colour bar


def test_row_is_query_and_column_is_key():
    weights = np.zeros((2, 3))
    weights[1, 2] = 1
    figure = plot_attention(weights, ["q0", "q1"], ["k0", "k1", "k2"])
    assert tuple(cells(figure)[1, 2, :3]) == VIRIDIS_1
    assert (labels(figure, "y"), labels(figure, "x")) == (["q0", "q1"], ["k0", "k1", "k2"])
    assert "query" in figure.axes[0].get_ylabel() and "key" in figure.axes[0].get_xlabel()


def test_mosaic_keeps_every_head_in_its_place():
    weights = np.zeros((3, 4, 5, 5))
    weights[2, 1, 4, 0] = 1
    image = cells(plot_attention(weights))
    found = np.argwhere((image[..., :3] == VIRIDIS_1).all(-1))
    step = 5 + 1  # a panel and a gap
    assert found.tolist() == [[2 * step + 4, 1 * step + 0]]


@pytest.mark.parametrize(
    "weights",
    [
        softmax(4, 4),
        softmax(3, 4, 4),
        softmax(2, 3, 4, 4),
        softmax(2, 1, 3, 4, 4),
        [softmax(1, 3, 4, 4), softmax(1, 3, 4, 4)],
        tuple(softmax(3, 4, 4) for _ in range(2)),
        softmax(4, 4).double().numpy(),
        softmax(4, 4).tolist(),
        softmax(4, 4).bfloat16(),
        softmax(4, 4).requires_grad_(),
        torch.tril(torch.ones(5, 5)) / torch.arange(1, 6)[:, None],
        softmax(1, 1),
        softmax(12, 2, 7),
    ],
)
def test_forms_of_attention_are_accepted(weights):
    assert png_bytes(plot_attention(weights))[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (softmax(4), "got 1"),
        (softmax(2, 2, 3, 4, 4), "axis of .* has 2, expected 1"),
        ([softmax(2, 3, 4, 4)], "batch of 2, expected 1"),
        ([softmax(1, 3, 4, 4), softmax(1, 2, 4, 4)], r"\(3, 4, 4\).*\(2, 4, 4\)"),
        ([softmax(1, 3, 4, 4), None], "layer 1 has no weights.*eager"),
        ([None, None], "eager"),
        (torch.zeros(0, 4), "empty"),
        ((), "got 1"),
        (torch.full((2, 2), float("nan")), "4 of 4 .* NaN"),
        (torch.tensor([[2.0, -1.0]]), "from -1 to 2"),
    ],
)
def test_what_is_not_attention_is_refused(weights, words):
    with pytest.raises(ValueError, match=words):
        plot_attention(weights)


def test_wrong_number_of_tokens_names_both_numbers():
    with pytest.raises(ValueError, match="3 tokens for 4 rows"):
        plot_attention(softmax(4, 4), ["a"] * 3)
    with pytest.raises(ValueError, match="4 key_tokens for 5 columns"):
        plot_attention(softmax(4, 5), ["a"] * 4, ["b"] * 4)
    with pytest.raises(ValueError, match="one string of 4 characters"):
        plot_attention(softmax(4, 4), "abcd")
    with pytest.raises(ValueError, match="2 titles for 3 heads"):
        plot_attention(softmax(3, 4, 4), titles=["a", "b"])
    with pytest.raises(ValueError, match="3 titles for 2 layers"):
        plot_attention(softmax(2, 3, 4, 4), titles=["a", "b", "c"])


def test_hostile_tokens_are_drawn_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)  # an old matplotlib with a new pyparsing
        n = len(HOSTILE)
        figure = plot_attention(softmax(n, n), HOSTILE, titles=["$"], title="a $ b $")
        png_bytes(figure)
        png_bytes(plot_curves([0, 1], {text or "empty": [0, 1] for text in HOSTILE}, title="$"))
        png_bytes(plot_matrix(np.eye(n), HOSTILE, HOSTILE, title="$"))
    assert labels(figure, "y")[:2] == ["$x^2$", "</script>"]
    texts = figure.findobj(match=lambda artist: isinstance(artist, Text) and "$" in artist.get_text())
    assert len(texts) >= 3 and not any(text.get_parse_math() for text in texts)


def test_invisible_characters_are_made_visible():
    assert label_text("\u200b") == "\\u200b"
    assert label_text("\u202ea") == "\\u202ea"
    assert label_text("a\nb\x00") == "a\\nb\\x00"
    assert label_text("$5") == "$5"
    assert label_text("a" * 20) == "a" * 14 + "…"


def test_many_tokens_are_counted_rather_than_crowded():
    assert labels(plot_attention(softmax(24, 24), ["w"] * 24), "y") == ["w"] * 24
    assert labels(plot_attention(softmax(64, 64), ["w"] * 64), "y")[:3] == ["0", "8", "16"]


@pytest.mark.parametrize("shape", [(11, 11), (4, 11, 11), (6, 12, 11, 11), (12, 12, 64, 64), (30, 9, 12, 12), (64, 64)])
def test_figures_fit_a_notebook_and_keep_their_letters_readable(shape):
    figure = plot_attention(softmax(*shape), ["token"] * shape[-1])
    width, height = figure.get_size_inches()
    assert width <= 11.6 and height <= 17
    figure.dpi = getattr(figure, "png_dpi", PNG_DPI)
    png_bytes(figure)
    texts = [text for text in figure.findobj(match=lambda artist: hasattr(artist, "get_fontsize")) if text.get_text()]
    assert min(text.get_fontsize() for text in texts) >= 10
    box = figure.get_tightbbox()  # in inches: nothing is cut off at the edge
    assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01


@pytest.mark.slow
def test_all_heads_are_drawn_in_a_moment():
    weights = softmax(12, 12, 64, 64)
    png_bytes(plot_attention(weights))
    seconds = []
    while len(seconds) < 12 and min(seconds, default=1) > 0.4:  # the best of a few: another program may share the core
        start = time.thread_time()
        png_bytes(plot_attention(weights))
        seconds.append(time.thread_time() - start)
    assert min(seconds) <= 0.4  # one image per head takes more than 2
