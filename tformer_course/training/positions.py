"""Text and training for chapter 03: a village where things are put somewhere and asked for later.

The same few hundred lines serve the live training in the notebook and the study in
`assets/results/03_positions/extrapolation.py`.
"""

from __future__ import annotations

import math
import random

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional as F

from tformer_course.assets import asset
from tformer_course.models.positions import PositionLM
from tformer_course.training.threads import one_thread

TRAIN_LEN = 64
ALPHABET = "\n abcdefghijklmnopqrstuvwxyz.,?"
NAMES = "anna ben carl dora emil fay gus hana ivo jana karl lena milo nora otto pia ravi sara tom uma vera will"
THINGS = "lamp key book coin cup rope map shell ring drum hat stone jar kite bell mask spoon flute brush ladder"
PLACES = "attic barn cellar garden kitchen shed tower yard well mill chapel market stable harbour"


def village_text(length: int, seed: int) -> str:
    """Sentences about people who move things; half of those on a thing seen before say where it was put.

    Args:
        length: Number of characters.
        seed: Equal seeds give equal texts.

    Returns:
        Lower-case text of that many characters, all of `ALPHABET`.
    """
    draw = random.Random(seed)
    names, things, places = NAMES.split(), THINGS.split(), PLACES.split()
    place_of: dict[str, str] = {}
    sentences, size = [], 0
    while size < length:
        name, thing = draw.choice(names), draw.choice(things)
        if thing in place_of and draw.random() < 0.5:
            place = place_of[thing]
            forms = (f"{name} found the {thing} in the {place}.", f"where is the {thing}? in the {place}.")
        else:
            place = place_of[thing] = draw.choice(places)
            forms = (
                f"{name} put the {thing} in the {place}.",
                f"{name} took the {thing} to the {place}.",
                f"the {thing} is in the {place}, says {name}.",
            )
        sentences.append(draw.choice(forms) + draw.choice("   \n"))
        size += len(sentences[-1])
    return "".join(sentences)[:length]


def encode(text: str) -> Tensor:
    """Characters as int64 `(n,)`, by their place in `ALPHABET`."""
    return torch.tensor([ALPHABET.index(character) for character in text])


def decode(tokens: Tensor) -> str:
    """The text of tokens `(n,)`."""
    return "".join(ALPHABET[i] for i in tokens.tolist())


def held_out_rows(rows: int = 32, length: int = 1024, seed: int = 999) -> Tensor:
    """Test tokens `(rows, length)`, each row from a village of its own, none of them seen in training."""
    return torch.stack([encode(village_text(length, seed + row)) for row in range(rows)])


@one_thread()
def train_position_lm(
    positions: str, seed: int, steps: int = 600, batch: int = 16, peak: float = 3e-3, data: Tensor | None = None
) -> tuple[PositionLM, list[float]]:
    """Trains one small model at length `TRAIN_LEN`, on one thread: with matrices this small, more of them only wait.

    Args:
        positions: Kind of positions, as `PositionLM` knows them.
        seed: Of the initial weights and of the batches.
        steps: Number of updates.
        batch: Rows per update.
        peak: Largest learning rate; it warms up over 50 steps and then falls along half a cosine.
        data: Tokens `(n,)`; None makes 400,000 characters of village text.

    Returns:
        The model in evaluation mode and the loss of each step.
    """
    data = encode(village_text(400_000, seed=1)) if data is None else data
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = PositionLM(positions, len(ALPHABET), max_len=TRAIN_LEN)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.95))
    losses = []
    for step in range(steps):
        rate = peak * min(1.0, (step + 1) / 50) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * step / steps)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        starts = torch.randint(0, len(data) - TRAIN_LEN, (batch, 1), generator=generator)
        rows = data[starts + torch.arange(TRAIN_LEN + 1)]  # (batch, 65)
        loss = F.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return model.eval(), losses


def trained_position_lm(positions: str, seed: int = 0) -> PositionLM:
    """A model of the extrapolation study, from the weights that come with the course.

    Args:
        positions: Kind of positions, as `PositionLM` knows them.
        seed: 0, 1 or 2.

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    weights = load_file(asset(f"weights/03_positions/{positions}_seed{seed}.safetensors"))
    model = PositionLM(positions, len(ALPHABET), max_len=TRAIN_LEN)
    model.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return model.eval()
