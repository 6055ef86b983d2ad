"""A sentence that the class calls out, through the real BERT or the real LLaMA, into the explorer."""

from __future__ import annotations

import html
import time
from functools import lru_cache
from typing import Any

import ipywidgets
import torch

from tformer_course.pretrained import ModelError, load_bert, load_llama
from tformer_course.viz.explorer import explorer_html

MOST_TOKENS = 48
FIRST = "The animal did not cross the street because it was too tired."
LOADERS = {"BERT (6 layers, 12 heads)": load_bert, "LLaMA (30 layers, 9 heads)": load_llama}


@lru_cache
def loaded(name: str) -> tuple[Any, Any]:
    """Model and tokenizer, loaded once."""
    return LOADERS[name]()


def preload() -> None:
    """Load both models before the class is there; a missing one is only said when it is asked."""
    for name in LOADERS:
        try:
            loaded(name)
        except ModelError:
            continue


def explorer_of(text: str, name: str) -> str:
    """The explorer's page for a text, or a line that says why there is none."""
    try:
        model, tokenizer = loaded(name)
    except ModelError as error:
        return f"<p>{html.escape(str(error))}</p>"
    ids = tokenizer(text.strip() or FIRST, return_tensors="pt")["input_ids"][:, :MOST_TOKENS]
    with torch.no_grad():
        maps = torch.stack(model(input_ids=ids, output_attentions=True).attentions)[:, 0].float()  # (L, H, T, T)
    # One token may be a part of a letter: decode each by itself.
    tokens = [tokenizer.decode([i]) for i in ids[0].tolist()]
    first = maps[..., 1:, 0].mean().item() if maps.shape[-1] > 1 else 1.0
    alt = f"Attention weights of {name} for “{text[:80]}”; the first token gets {first:.2f} of the weight on average."
    return explorer_html(maps, tokens, alt=alt)


class Audience:
    """A field for a text and a choice of model; Enter shows the explorer below.

    Args:
        text: What stands there first.
    """

    def __init__(self, text: str = FIRST) -> None:
        wide = ipywidgets.Layout(width="95%")
        style = {"description_width": "90px"}
        self.text = ipywidgets.Text(value=text, description="text", continuous_update=False, layout=wide, style=style)
        self.model = ipywidgets.Dropdown(options=list(LOADERS), description="model", layout=wide, style=style)
        self.box = ipywidgets.VBox([self.text, self.model])
        self.seconds: list[float] = []
        self._shown: Any = None
        for control in (self.text, self.model):
            control.observe(self._changed, names="value")

    def answer(self) -> dict[str, str]:
        """The explorer for the present text and model."""
        began = time.perf_counter()
        page = explorer_of(self.text.value, self.model.value)
        self.seconds.append(time.perf_counter() - began)
        return {"text/html": page, "text/plain": f"attention of {self.model.value}: {self.text.value[:80]}"}

    def _changed(self, change: dict) -> None:
        if self._shown is not None:
            self._shown.update(self.answer(), raw=True)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self.box)
        self._shown = display(self.answer(), raw=True, display_id=True)


def ask_models(text: str = FIRST) -> Audience:
    """The field for the class's sentences."""
    return Audience(text)
