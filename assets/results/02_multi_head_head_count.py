"""Does the number of heads matter at equal parameters? Two tasks, six head counts, three seeds.

    python assets/results/02_multi_head_head_count.py

writes 02_multi_head_head_count.json beside this file, in a few minutes on one CPU thread.

Task "four places": one attention layer with learned positions and no feed-forward network. Every position must name the
tokens 1, 2, 4 and 8 places back: four things at once. Score: share of right tokens on fresh sequences.

Task "small language": two pre-norm blocks predict the next word of short texts from a seeded grammar, in which facts
are stated and later asked for. Score: mean loss in nats per word on fresh texts.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from tformer_course.models import MultiHeadAttention, causal_mask

HEADS = (1, 2, 4, 8, 16, 32)
SEEDS = (0, 1, 2)
WIDTH = 64
OFFSETS = (1, 2, 4, 8)
PLACES_VOCAB, PLACES_LENGTH = 16, 16

NAMES = ["Ada", "Ben", "Chen", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivan", "Jing", "Kim", "Leo"]
COLOURS = ["red", "blue", "green", "black", "white", "yellow", "pink", "grey"]
THINGS = ["hat", "cup", "ball", "book", "lamp", "coat", "boat", "drum"]
WORDS = [
    "the",
    "has",
    "a",
    ".",
    "?",
    "who",
    "what",
    "does",
    "have",
    "which",
    "colour",
    "is",
    "of",
    *NAMES,
    *COLOURS,
    *THINGS,
]
TEXT_LENGTH = 34


class FourPlaces(nn.Module):
    def __init__(self, heads: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(PLACES_VOCAB, WIDTH)
        self.positions = nn.Embedding(PLACES_LENGTH, WIDTH)
        self.attention = MultiHeadAttention(WIDTH, heads)
        self.read = nn.Linear(WIDTH, len(OFFSETS) * PLACES_VOCAB)

    def forward(self, tokens):  # (B, n) → (B, n, 4, V)
        x = self.tokens(tokens) + self.positions.weight
        return self.read(self.attention(x, mask=causal_mask(PLACES_LENGTH))).unflatten(-1, (len(OFFSETS), -1))


def places_batch(size: int, generator: torch.Generator):
    tokens = torch.randint(PLACES_VOCAB, (size, PLACES_LENGTH), generator=generator)
    answers = torch.stack([tokens.roll(offset, dims=1) for offset in OFFSETS], dim=-1)  # (B, n, 4)
    return tokens, answers


def four_places(heads: int, seed: int, steps: int = 800) -> tuple[float, int]:
    torch.manual_seed(seed)
    model, generator = FourPlaces(heads), torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 1e-2, total_steps=steps, pct_start=0.1)
    seen = slice(max(OFFSETS), None)  # only positions that have something 8 places back
    for _ in range(steps):
        tokens, answers = places_batch(32, generator)
        loss = cross_entropy(model(tokens)[:, seen].flatten(0, 2), answers[:, seen].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        tokens, answers = places_batch(512, torch.Generator().manual_seed(10_000 + seed))
        right = (model(tokens).argmax(-1) == answers)[:, seen].double().mean().item()
    return right, sum(p.numel() for p in model.parameters())


def a_text(rng: random.Random) -> list[int]:
    words: list[str] = []
    facts = list(zip(rng.sample(NAMES, 3), [rng.choice(COLOURS) for _ in range(3)], rng.sample(THINGS, 3), strict=True))
    for name, colour, thing in facts:
        words += [name, "has", "a", colour, thing, "."]
    while len(words) <= TEXT_LENGTH:
        name, colour, thing = rng.choice(facts)
        words += rng.choice(
            (
                ["who", "has", "the", colour, thing, "?", name, "."],
                ["which", "colour", "is", "the", thing, "of", name, "?", colour, "."],
                ["what", "does", name, "have", "?", "a", colour, thing, "."],
            )
        )
    return [WORDS.index(word) for word in words[: TEXT_LENGTH + 1]]


class Language(nn.Module):
    def __init__(self, heads: int, layers: int = 2) -> None:
        super().__init__()
        self.tokens = nn.Embedding(len(WORDS), WIDTH)
        self.positions = nn.Embedding(TEXT_LENGTH, WIDTH)
        self.attention = nn.ModuleList(MultiHeadAttention(WIDTH, heads) for _ in range(layers))
        self.feed = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
            for _ in range(layers)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(layers))
        self.read = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(WORDS)))

    def forward(self, tokens):  # (B, n) → (B, n, V)
        x = self.tokens(tokens) + self.positions.weight
        for norm, attention, feed in zip(self.norms, self.attention, self.feed, strict=True):
            x = x + attention(norm(x), mask=causal_mask(TEXT_LENGTH))
            x = x + feed(x)
        return self.read(x)


def small_language(heads: int, seed: int, steps: int = 400) -> tuple[float, int]:
    rng = random.Random(seed)
    texts = torch.tensor([a_text(rng) for _ in range(8000)])
    held_out_rng = random.Random(10_000 + seed)
    held_out = torch.tensor([a_text(held_out_rng) for _ in range(400)])
    torch.manual_seed(seed)
    model = Language(heads)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.1)
    for _ in range(steps):
        batch = texts[torch.randint(len(texts), (24,))]
        loss = cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        loss = cross_entropy(model(held_out[:, :-1]).flatten(0, 1), held_out[:, 1:].flatten()).item()
    return loss, sum(p.numel() for p in model.parameters())


def main() -> None:
    torch.set_num_threads(1)
    results: dict = {"command": "python assets/results/02_multi_head_head_count.py", "torch": torch.__version__}
    results |= {"width": WIDTH, "heads": list(HEADS), "seeds": list(SEEDS)}
    for task in (four_places, small_language):
        runs = {heads: [task(heads, seed) for seed in SEEDS] for heads in HEADS}
        counts = {count for row in runs.values() for _, count in row}
        if len(counts) != 1:
            raise RuntimeError(f"the parameters are not equal: {sorted(counts)}")
        # (seeds, heads), as plot_curves wants it
        scores = [[round(runs[heads][i][0], 4) for heads in HEADS] for i in range(len(SEEDS))]
        results[task.__name__] = {"parameters": counts.pop(), "scores": scores}
        print(task.__name__, results[task.__name__], file=sys.stderr)
    Path(__file__).with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
