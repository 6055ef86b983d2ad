"""The corpus of chapter 05, on which a tiny BERT, GPT and T5 are trained and then asked the same questions.

A story has four sentences, 17 words in all:

    anna has a cat . it is white . it eats fish . she hears meow .

The animal tells its food and its sound, and these tell the animal; the name tells the pronoun; the colour is free. So a
sound follows from what stands left of it, and an animal only from what stands right of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from tformer_course.assets import asset
from tformer_course.models.families import mask_tokens, shift_labels, span_corruption, tiny_model
from tformer_course.training.block import START, greedy_decode, shift_right
from tformer_course.training.threads import one_thread

WOMEN, MEN = ["anna", "cora", "eva", "gina"], ["ben", "dan", "finn", "hugo"]
ANIMALS = ["cat", "dog", "cow", "hen", "frog", "bee", "lion", "horse"]
FOODS = ["fish", "bones", "grass", "corn", "flies", "honey", "meat", "hay"]
SOUNDS = ["meow", "woof", "moo", "cluck", "croak", "buzz", "roar", "neigh"]
COLOURS = ["black", "white", "brown", "grey", "spotted"]
SENTINELS = [f"<{i}>" for i in range(6)]
WORDS = ["[START]", "[MASK]", *SENTINELS, *["has", "a", ".", "it", "is", "eats", "she", "he", "hears"]]
WORDS += [*WOMEN, *MEN, *ANIMALS, *FOODS, *SOUNDS, *COLOURS]
INDEX = {word: i for i, word in enumerate(WORDS)}
MASK = INDEX["[MASK]"]
SENTINEL_IDS = [INDEX[s] for s in SENTINELS]
SPECIAL_IDS = [START, MASK, *SENTINEL_IDS]
LENGTH, FIRST_SENTENCE = 17, 5
ANIMAL_AT, FOOD_AT, SOUND_AT = 3, 11, 15


def story(name: str, animal: str, colour: str) -> str:
    """One story in words."""
    kind = ANIMALS.index(animal)
    pronoun = "she" if name in WOMEN else "he"
    return f"{name} has a {animal} . it is {colour} . it eats {FOODS[kind]} . {pronoun} hears {SOUNDS[kind]} ."


EVERY_STORY = torch.tensor(
    [[INDEX[w] for w in story(n, a, c).split()] for n in WOMEN + MEN for a in ANIMALS for c in COLOURS]
)  # (320, 17)


def stories(count: int, generator: torch.Generator) -> Tensor:
    """Random stories as tokens `(count, 17)`, out of the 320 that there are."""
    return EVERY_STORY[torch.randint(len(EVERY_STORY), (count,), generator=generator)]


def sentences(row: Tensor) -> list[str]:
    """The four sentences of a story `(17,)`."""
    return [f"{s.strip()} ." for s in decode(row).split(".")[:4]]


def encode(text: str) -> Tensor:
    """Words as int64 `(n,)`."""
    return torch.tensor([INDEX[word] for word in text.split()])


def decode(tokens: Tensor) -> str:
    """The text of tokens `(n,)`."""
    return " ".join(WORDS[i] for i in tokens.tolist())


def batch_loss(kind: str, model: nn.Module, rows: Tensor, generator: torch.Generator) -> Tensor:
    """The loss of each family on the same stories `(B, 17)`: masked words, the next word, or corrupted spans."""
    if kind == "bert":
        inputs, labels = mask_tokens(rows, MASK, len(WORDS), SPECIAL_IDS, generator=generator)
        logits = model(inputs)
    elif kind == "gpt":
        inputs, labels = shift_labels(rows, pad_id=-1)  # all stories have 17 words: there is no padding
        logits = model(inputs)
    else:
        # One share and one mean length per batch, so all rows keep one length. T5 has 15 % and 3 always; but our small
        # one learns absolute positions, and must have seen short sources and long ones, short spans and long ones.
        cut = int(torch.randint(1, 13, (), generator=generator))
        mean_span = (1, 3, 6, 12)[int(torch.randint(4, (), generator=generator))]
        mean_span = max(mean_span, cut / 4)  # at most 4 spans
        pairs = [span_corruption(row, SENTINEL_IDS, cut / LENGTH, mean_span, generator) for row in rows]
        source, labels = (torch.stack(side) for side in zip(*pairs, strict=True))
        logits = model(source, shift_right(labels))
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


@one_thread()
def train_tiny(
    kind: str,
    seed: int,
    steps: int = 400,
    batch: int = 64,
    peak: float = 3e-3,
    look: Callable[[int, float], None] | None = None,
) -> nn.Module:
    """Train one model; on one thread, since matrices this small leave more of them waiting.

    Args:
        kind: "bert", "gpt" or "t5".
        seed: Of the first weights, the stories and the masks.
        steps: Number of updates.
        batch: Stories per update.
        peak: Largest learning rate; it warms up over 50 steps and then falls along half a cosine.
        look: Called with the step and its loss.

    Returns:
        The model in evaluation mode.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = tiny_model(kind, len(WORDS))
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.98))
    for step in range(steps):
        rate = peak * min(1.0, (step + 1) / 50) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / steps)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = batch_loss(kind, model, stories(batch, generator), generator)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if look:
            look(step, loss.item())
    return model.eval()


def trained_tiny(kind: str, seed: int = 0) -> nn.Module:
    """A model of the study, from the weights that come with the course.

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    model = tiny_model(kind, len(WORDS))
    weights = load_file(asset(f"weights/05_families/{kind}_seed{seed}.safetensors"))
    model.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return model.eval()


# --- what the trained models are asked -----------------------------------------------------------------------------


@torch.no_grad()
def fill(kind: str, model: nn.Module, rows: Tensor, position: int) -> Tensor:
    """The word that a model puts at one position of each story; GPT reads what stands left of it, the others all.

    Args:
        kind: "bert", "gpt" or "t5".
        model: Of that kind.
        rows: `(B, T)`, stories; left as they are.
        position: Where the word is wanted.

    Returns:
        `(B,)`, word indices.
    """
    if kind == "gpt":
        return model(rows[:, :position])[:, -1].argmax(dim=-1)
    hidden = rows.clone()
    hidden[:, position] = MASK if kind == "bert" else SENTINEL_IDS[0]
    if kind == "bert":
        return model(hidden)[:, position].argmax(dim=-1)
    return greedy_decode(model, hidden, 2)[:, 1]  # it writes: sentinel, word, …


@torch.no_grad()
def continued(
    kind: str, model: nn.Module, rows: Tensor, words: int = LENGTH - FIRST_SENTENCE, told: bool = False
) -> Tensor:
    """The stories `(B, T)` with `words` more words, as well as each family can without further training.

    GPT appends word after word. BERT gets a mask behind the text and its best guess is put there, again and again; with
    `told` it gets masks for all missing words at once, so that it knows how long the story will be, and the first of
    them is filled. T5 gets the beginning and a sentinel, and writes what that stands for; where it ends early, the
    sentinel is put behind what it wrote.
    """
    goal = rows.shape[1] + words
    if kind == "t5":
        return torch.stack([_continued_by_t5(model, row, goal) for row in rows])
    while rows.shape[1] < goal:
        if kind == "gpt":
            word = model(rows)[:, -1]
        else:
            masks = torch.full((len(rows), goal - rows.shape[1] if told else 1), MASK)
            word = model(torch.cat([rows, masks], dim=1))[:, rows.shape[1]]
        rows = torch.cat([rows, word.argmax(dim=-1, keepdim=True)], dim=1)
    return rows


def _continued_by_t5(model: nn.Module, row: Tensor, goal: int) -> Tensor:
    while len(row) < goal:
        source = torch.cat([row, torch.tensor([SENTINEL_IDS[0]])])
        written = greedy_decode(model, source[None], goal - len(row) + 2)[0, 1:].tolist()
        end = next((i for i, token in enumerate(written) if token in SPECIAL_IDS), len(written))
        row = torch.cat([row, torch.tensor(written[: max(end, 1)])])
    return row[:goal]


def true_stories(rows: Tensor) -> float:
    """Share of the rows `(B, 17)` that are one of the 320 stories: well formed, right food, sound and pronoun."""
    return (rows[:, None] == EVERY_STORY).all(dim=2).any(dim=1).double().mean().item()


def abilities(kind: str, model: nn.Module) -> dict[str, float]:
    """What one model can do, as shares of right answers over all stories.

    Returns:
        `from the left`: the sound is hidden; the words before tell it.
        `from the right`: the animal is hidden; only the words after it tell it.
        `writing on`: the first sentence is given, and the rest must make a true story.
        `writing on, length told`: the same where BERT gets a mask for every missing word.
    """
    left = fill(kind, model, EVERY_STORY, SOUND_AT) == EVERY_STORY[:, SOUND_AT]
    right = fill(kind, model, EVERY_STORY, ANIMAL_AT) == EVERY_STORY[:, ANIMAL_AT]
    starts = EVERY_STORY[::5, :FIRST_SENTENCE]  # 64 beginnings: colours come later
    return {
        "from the left": left.double().mean().item(),
        "from the right": right.double().mean().item(),
        "writing on": true_stories(continued(kind, model, starts)),
        "writing on, length told": true_stories(continued(kind, model, starts, told=True)),
    }
