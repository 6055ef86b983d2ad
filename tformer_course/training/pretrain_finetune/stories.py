"""The texts of chapter 08: stories to pretrain on, questions to fine-tune on, and the tokenizer.

Every story is drawn from a grammar whose choices are counted, so the loss that no model can beat is known:

    hana is a fox who lives in the mill. one day hana finds a red kite. hana gives the kite to otto. …

Animal and home of a person are the same in all stories: they can be learned by heart. Colour and thing are new in every
story and come back two sentences later: they can be read off. Names follow Zipf's law, as words of real text do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor

from tformer_course.assets import asset


def _words(text: str) -> list[str]:
    return text.split()


NAMES = _words(
    "hana otto mia ravi lena tom vera ben nora carl ida finn pia hugo uma gus zoe emil ada sara jana milo eva leo "
    "kaya dora igor tara omar lucy paul rosa anna karl elsa "
    " fred greta hans ingrid jon kim lars mona niko olga pete rita sven"
)
ANIMALS = _words("fox bear owl frog hare cat crow mole duck wolf deer goat")
HOMES = _words("mill tower barn cave garden attic forest harbour village castle cellar meadow")
COLOURS = _words("red blue green black white yellow brown grey")
THINGS = _words("kite lamp ball drum ring book cup key bell rope map shell hat coin boat stone")
END, PAD, MASK, USER, BOT = "<end>", "<pad>", "<mask>", "<user>", "<bot>"
SPECIAL = [END, PAD, MASK, USER, BOT]
LETTERS = "▁abcdefghijklmnopqrstuvwxyz.?"  # known from the start, also where the stories do not use them
VOCAB = 256
LENGTH = 64

_draw = random.Random(8)
ANIMAL_OF = {name: _draw.choice(ANIMALS) for name in NAMES}
HOME_OF = {name: _draw.choice(HOMES) for name in NAMES}
WEIGHTS = [1 / (rank + 3) for rank in range(len(NAMES))]
TAUGHT, HELD_OUT = NAMES[::2], NAMES[1::2]  # who is asked about in fine-tuning, and who only afterwards


def story(draw: random.Random) -> tuple[str, float]:
    """One story, and minus the logarithm of its probability: the nats that its random choices are worth."""
    nats = 0.0

    def pick(options: list[str], weights: list[float] | None = None) -> str:
        nonlocal nats
        weights = weights or [1.0] * len(options)
        (i,) = draw.choices(range(len(options)), weights)
        nats -= math.log(weights[i] / sum(weights))
        return options[i]

    name = pick(NAMES, WEIGHTS)
    other = pick(*zip(*((n, w) for n, w in zip(NAMES, WEIGHTS, strict=True) if n != name), strict=True))
    colour, thing = pick(COLOURS), pick(THINGS)
    first = pick(
        [
            f"{name} is a {ANIMAL_OF[name]} who lives in the {HOME_OF[name]}.",
            f"in the {HOME_OF[name]} lives a {ANIMAL_OF[name]} called {name}.",
        ]
    )
    second = pick([f"one day {name} finds a {colour} {thing}.", f"today {name} has a {colour} {thing}."])
    third = pick([f"{name} gives the {thing} to {other}.", f"{other} asks {name} for the {thing}."])
    last = pick(
        [
            f"{other} takes the {colour} {thing} to the {HOME_OF[other]}.",
            f"now the {colour} {thing} is in the {HOME_OF[other]}.",
        ]
    )
    return " ".join([first, second, third, last]), nats


def story_texts(count: int, seed: int) -> list[str]:
    """Stories from a seed."""
    draw = random.Random(seed)
    return [story(draw)[0] for _ in range(count)]


def loss_floor(tokenizer: Tokenizer, count: int = 4000, seed: int = 77) -> float:
    """Nats per token that even a model which knows the grammar must pay: entropy of a story by its mean length."""
    draw = random.Random(seed)
    drawn = [story(draw) for _ in range(count)]
    tokens = sum(len(tokenizer.encode(text).ids) for text, _ in drawn)  # the end token follows, its beginning is given
    return sum(nats for _, nats in drawn) / tokens


def question(name: str, kind: str) -> tuple[str, str]:
    """A prompt and its answer; kind is "home" or "animal"."""
    if kind == "home":
        return f"{USER} where does {name} live?{BOT}", f" in the {HOME_OF[name]}."
    return f"{USER} what is {name}?{BOT}", f" a {ANIMAL_OF[name]}."


# --- tokens --------------------------------------------------------------------------------------------------------


def train_tokenizer(texts: list[str], vocab_size: int = VOCAB) -> Tokenizer:
    """Byte-pair encoding by the `tokenizers` library: a word carries the blank before it, as in GPT-2 and LLaMA."""
    tokenizer = Tokenizer(models.BPE())
    blanks, marks = pre_tokenizers.Metaspace(prepend_scheme="never"), pre_tokenizers.Punctuation()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([blanks, marks])
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="never")
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, special_tokens=SPECIAL, show_progress=False, initial_alphabet=list(LETTERS)
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def course_tokenizer() -> Tokenizer:
    """The tokenizer of the chapter's trained models.

    Raises:
        FileNotFoundError: Where the file is missing.
    """
    return Tokenizer.from_file(str(asset("weights/08_pretrain_finetune/tokenizer.json")))


def encode_stories(tokenizer: Tokenizer, texts: list[str]) -> Tensor:
    """Stories as rows `(B, T)`: END, the story, END, then −100, which is no token and never a target."""
    end = tokenizer.token_to_id(END)
    ids = [[end, *e.ids, end] for e in tokenizer.encode_batch(texts)]
    rows = torch.full((len(ids), max(map(len, ids))), -100)
    for row, tokens in zip(rows, ids, strict=True):
        row[: len(tokens)] = torch.tensor(tokens)
    return rows


def story_batches(tokenizer: Tokenizer, batch: int, seed: int) -> Iterator[Tensor]:
    """Endless batches of fresh stories, each `(batch, T)` as `encode_stories` makes them; T is the longest story's."""
    draw = random.Random(seed)
    while True:
        yield encode_stories(tokenizer, [story(draw)[0] for _ in range(batch)])
