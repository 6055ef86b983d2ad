"""The live pictures, without a browser: each answers, says what it shows, and shows what is right."""

from __future__ import annotations

import html
import re

import ipywidgets
import pytest
import torch

from tformer_course.lectures import widgets
from tformer_course.lectures.widgets.alignment import hacked
from tformer_course.lectures.widgets.cost import PATTERNS, pattern_mask, pattern_pairs

MAKERS = [
    widgets.temperature,
    widgets.mask_painter,
    widgets.rope_distance,
    widgets.window_cost,
    widgets.router_balance,
    widgets.beta_against_hacking,
    widgets.group_advantage,
]


def alt(page: str) -> str:
    return html.unescape(re.search(r'alt="([^"]*)"', page).group(1))


def move(control: ipywidgets.Widget) -> None:
    """Another value than the present one."""
    if isinstance(control, ipywidgets.Checkbox | ipywidgets.ToggleButton):
        control.value = not control.value
    elif isinstance(control, ipywidgets.Dropdown):
        control.value = control.options[-1] if control.value != control.options[-1] else control.options[0]
    elif isinstance(control, ipywidgets.FloatLogSlider):
        low, high = (control.base**end for end in (control.min, control.max))
        control.value = high if control.value != high else low
    else:
        control.value = control.max if control.value != control.max else control.min


@pytest.mark.parametrize("make", MAKERS, ids=lambda m: m.__name__)
def test_every_control_changes_the_picture_and_its_words(make):
    live = make()
    first = live.answer()
    assert "<img" in first and len(alt(first)) > 60
    pages = {first}
    for control in list(live.controls.values())[:6]:
        move(control)
        page = live.answer()
        assert page not in pages, control.description
        pages.add(page)


@pytest.mark.parametrize("make", MAKERS, ids=lambda m: m.__name__)
def test_controls_can_be_named_by_a_screen_reader(make):
    for control in make().controls.values():
        assert control.description and (control.description not in "✓×" or control.tooltip)


def test_saturation_comes_with_width_and_goes_with_the_factor():
    live = widgets.temperature()
    largest = {}
    for scaled in (True, False):
        live.controls["scaled"].value = scaled
        for width in (4, 1024):
            live.controls["width"].value = width
            largest[scaled, width] = float(re.search(r"weights ([\d.]+)", alt(live.answer())).group(1))
    assert largest[False, 1024] > 0.9 > 0.6 > largest[True, 1024]


def test_mask_painter_has_zeros_for_a_row_that_may_read_nothing():
    live = widgets.mask_painter()
    for column in range(6):
        live.controls[f"pair_3_{column}"].value = False
    assert "Rows of zeros, not NaN: slept" in alt(live.answer())
    live.pick.value = "diagonal alone"
    assert alt(live.answer()).startswith("6 of 36 pairs")


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("n, window, extra", [(48, 8, 2), (48, 64, 0), (7, 2, 8), (33, 6, 5)])
def test_pairs_are_counted_as_in_the_mask(pattern, n, window, extra):
    mask = pattern_mask(pattern, n, window, min(extra, n))
    assert pattern_pairs(pattern, n, window, extra) == int(mask.sum())


def test_beta_trades_truth_for_reward():
    betas = torch.tensor([10.0, 1.0, 0.05])
    found = hacked(0.6, betas)
    assert found["model"].diff().gt(0).all() and found["kl"].diff().gt(0).all()
    assert found["truth"][1] > max(found["truth"][0], found["truth"][2])
    clean = hacked(0.0, betas)
    assert torch.allclose(clean["model"], clean["truth"])


def test_bias_evens_out_the_load():
    live = widgets.router_balance()
    before = int(re.search(r"to (\d+)%", alt(live.answer())).group(1))
    live.controls["steps"].value = 60
    after = int(re.search(r"to (\d+)%", alt(live.answer())).group(1))
    assert before > 35 and after < 20


def test_group_without_spread_teaches_nothing():
    live = widgets.group_advantage()
    live.controls["chance"].value = 0.98
    live.controls["size"].value = 2
    assert "96% of the groups teach nothing" in alt(live.answer())


def test_class_text_is_text_in_the_explorer(monkeypatch):
    from tformer_course.lectures.widgets import audience

    class Model:
        def __call__(self, input_ids, output_attentions):
            n = input_ids.shape[1]
            maps = torch.full((1, 2, n, n), 1 / n)
            return type("Out", (), {"attentions": (maps, maps)})

    class Tokenizer:
        def __call__(self, text, return_tensors):
            return {"input_ids": torch.arange(len(text.split()))[None]}

        def decode(self, ids):
            return "<b>"

    monkeypatch.setattr(audience, "loaded", lambda name: (Model(), Tokenizer()))
    page = audience.explorer_of("<script>x()</script> a b " + "c " * 100, "BERT (6 layers, 12 heads)")
    assert "<script>x()" not in page and "tformer-explorer" in page


def test_missing_model_is_said_in_words(monkeypatch):
    from tformer_course.lectures.widgets import audience
    from tformer_course.pretrained import ModelError

    def missing(name):
        raise ModelError("run `tformer models` first")

    monkeypatch.setattr(audience, "loaded", missing)
    assert audience.explorer_of("a", "BERT (6 layers, 12 heads)") == "<p>run `tformer models` first</p>"
