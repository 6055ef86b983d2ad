"""The explorer's HTML, as far as no browser is needed: size, escaping, the picture, and what is refused."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from tformer_course.viz import explore_attention
from tformer_course.viz.explorer import explorer_html

HOSTILE = ["</script><script>x", "<img src=x onerror=x>", "<!--", "\u2028", "中文", '"', "\\", ""]


def softmax(*shape: int) -> torch.Tensor:
    """Random attention weights of a shape."""
    return torch.softmax(2 * torch.randn(shape, generator=torch.Generator().manual_seed(0)), -1)


def data_of(html: str) -> dict:
    """The JSON that the page hands to the script."""
    return json.loads(
        html[html.rindex("document.currentScript.parentElement, ") :].split(", ", 1)[1].split(");</script>")[0]
    )


def bytes_of(html: str) -> np.ndarray:
    """The weights as the browser will unpack them."""
    return np.frombuffer(zlib.decompress(base64.b64decode(data_of(html)["weights"])), dtype=np.uint8)


def test_twelve_layers_of_twelve_heads_stay_below_600_kilobytes():
    assert len(explorer_html(softmax(12, 12, 64, 64), ["token"] * 64, alt="x").encode()) < 600_000


@pytest.mark.parametrize("shape", [(4, 5), (3, 4, 5), (2, 3, 4, 5), (2, 1, 3, 4, 5)])
def test_weights_travel_as_one_byte_each(shape):
    weights = softmax(*shape)
    expected = (weights * 255).round().byte().flatten().numpy()
    assert np.array_equal(bytes_of(explorer_html(weights, alt="x")), expected)


def test_hostile_tokens_open_and_close_no_element():
    html = explorer_html(softmax(8, 8), HOSTILE, alt='"><script>x</script>')
    tags: list[tuple[str, dict]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            tags.append((tag, dict(attributes)))

    Reader().feed(html)
    assert [tag for tag, _ in tags] == ["div", "img", "script"]
    assert tags[1][1]["alt"] == '"><script>x</script>'
    assert data_of(html)["queries"] == data_of(html)["keys"] == HOSTILE
    assert html.count("</script") == 1


def test_picture_comes_first_and_is_small_and_opaque():
    html = explorer_html(softmax(12, 12, 64, 64), ["token"] * 64, alt="the finding")
    assert html.index("<img") < html.index("<script")
    png = base64.b64decode(re.search(r"data:image/png;base64,([^\"]+)", html).group(1))
    assert len(png) < 60_000
    assert Image.open(io.BytesIO(png)).convert("RGBA").getextrema()[3] == (255, 255)


def test_nothing_in_the_page_names_another_machine():
    html = explorer_html(softmax(2, 3, 4, 4), ["a", "b", "c", "d"], alt="x")
    assert not re.search(
        r"https?:|//[a-z]|\bfetch\b|XMLHttpRequest|@import|import\(", re.sub(r"[A-Za-z0-9+/=]{200,}", "", html)
    )


def test_script_makes_no_element_from_text():
    script = (Path(__file__).parents[2] / "tformer_course" / "viz" / "attention.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script)
    assert "</script" not in script


def test_tokens_are_counted_where_none_are_given():
    data = data_of(explorer_html(softmax(2, 3), alt="x"))
    assert (data["queries"], data["keys"]) == (["0", "1"], ["0", "1", "2"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: explore_attention(softmax(2, 2), alt=" "), "alt="),
        (lambda: explore_attention(softmax(2, 2), ["a"], alt="x"), "1 tokens for 2 rows"),
        (lambda: explore_attention(softmax(2, 3, 4, 4), alt="x", layer=2), "layer 2 of 2"),
        (lambda: explore_attention(softmax(2, 3, 4, 4), alt="x", head=-1), "head -1 of 3"),
        (lambda: explore_attention([softmax(2, 3, 4, 4)], alt="x"), "batch of 2, expected 1"),
        (lambda: explore_attention(softmax(2, 2) * float("nan"), alt="x"), "NaN"),
    ],
)
def test_wrong_arguments_are_refused(call, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        call()
