"""Made pictures with captions, for chapter 05: a coloured shape in one corner of a dark square."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tformer_course.models.families import TinyCLIP, clip_loss
from tformer_course.training.threads import one_thread

SIDE, PATCH = 16, 4
COLOURS = {"red": (1.0, 0.2, 0.2), "green": (0.2, 0.9, 0.2), "blue": (0.3, 0.4, 1.0), "yellow": (1.0, 0.9, 0.2)}
SHAPES = ("square", "disc", "cross", "stripes")
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
WORDS = ["a", *COLOURS, *SHAPES, *CORNERS]
INDEX = {word: i for i, word in enumerate(WORDS)}
EVERY_CAPTION = [f"a {colour} {shape} {corner}" for colour in COLOURS for shape in SHAPES for corner in CORNERS]
# Each of these eight combinations is left out of training, though its colour, shape and corner are seen in others.
UNSEEN = tuple(
    f"a {c} {s} {p}"
    for i, c in enumerate(COLOURS)
    for s, p in ((SHAPES[i], CORNERS[i]), (SHAPES[i - 1], CORNERS[i - 2]))
)


def draw(caption: str, generator: torch.Generator) -> Tensor:
    """One picture `(3, 16, 16)` of a caption: the shape shifts by a pixel or two, and there is noise."""
    _, colour, shape, corner = caption.split()
    y, x = torch.meshgrid(torch.arange(6.0) - 2.5, torch.arange(6.0) - 2.5, indexing="ij")
    form = {
        "square": torch.ones(6, 6, dtype=torch.bool),
        "disc": x**2 + y**2 < 7.5,
        "cross": (x.abs() < 1) | (y.abs() < 1),
        "stripes": torch.arange(6).remainder(2).eq(0)[:, None].expand(6, 6),
    }[shape]
    picture = 0.1 * torch.rand(3, SIDE, SIDE, generator=generator)
    top, left = (int(torch.randint(0, 3, (), generator=generator)) for _ in range(2))
    top += 8 if corner.startswith("bottom") else 0
    left += 8 if corner.endswith("right") else 0
    place = picture[:, top : top + 6, left : left + 6]
    place[:, form] = torch.tensor(COLOURS[colour])[:, None]
    return picture


def encode(captions: list[str]) -> Tensor:
    """Captions as tokens `(B, 4)`."""
    return torch.tensor([[INDEX[w] for w in caption.split()] for caption in captions])


@one_thread()
def train_tiny_clip(seed: int, steps: int = 150, batch: int = 48, rate: float = 3e-3) -> tuple[TinyCLIP, list[float]]:
    """Train both towers on pictures of the captions that are not `UNSEEN`.

    Returns:
        The model in evaluation mode, and the loss of each step.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = TinyCLIP(len(WORDS), (SIDE // PATCH) ** 2, PATCH, 4)
    generator = torch.Generator().manual_seed(seed)
    seen = [c for c in EVERY_CAPTION if c not in UNSEEN]
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.1)
    losses = []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 20, 0.02 + 2 * (1 - step / steps))
        # Each caption at most once in a batch: the same one twice would be its own wrong answer.
        chosen = [seen[i] for i in torch.randperm(len(seen), generator=generator)[:batch]]
        images = torch.stack([draw(caption, generator) for caption in chosen])
        loss = clip_loss(model.image_features(images), model.text_features(encode(chosen)), model.logit_scale())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return model.eval(), losses


@torch.no_grad()
def similarity(model: TinyCLIP, images: Tensor, captions: list[str]) -> Tensor:
    """Cosine of each picture `(B, 3, 16, 16)` with each caption, `(B, len(captions))`."""
    pictures = nn.functional.normalize(model.image_features(images), dim=-1)
    return pictures @ nn.functional.normalize(model.text_features(encode(captions)), dim=-1).T
