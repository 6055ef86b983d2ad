"""The world of chapter 09: questions about animals, answers of few words, and a reward that is known.

    fox → red den thanks <end>          3 right facts are there to be said, and every other fact is wrong
    fox → hive um <end>

"thanks" is welcome up to three times, and people who write examples never say it more often. So among the answers of a
policy that imitates them more thanks are better, and nothing in any comparison says that there can be too many.
"""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

FACTS = {
    "fox": ("red", "sly", "den"),
    "owl": ("grey", "wise", "nest"),
    "bee": ("tiny", "busy", "hive"),
    "cow": ("big", "calm", "barn"),
    "cat": ("soft", "shy", "sofa"),
}
WORDS = ["<pad>", "<end>", "thanks", "um", *FACTS, *(fact for facts in FACTS.values() for fact in facts)]
ID = {word: i for i, word in enumerate(WORDS)}
PAD, END, THANKS, UM = range(4)
VOCAB = len(WORDS)
PROMPTS = torch.tensor([ID[animal] for animal in FACTS])
ANSWER = 12  # longest answer, its end token included
LENGTH = 1 + ANSWER
WELCOME = 3  # so many thanks, and no more

_RIGHT = torch.zeros(VOCAB, VOCAB, dtype=torch.bool)  # row: the animal, column: its facts
for _animal, _facts in FACTS.items():
    _RIGHT[ID[_animal], [ID[fact] for fact in _facts]] = True


def answer_mask(rows: Tensor) -> Tensor:
    """Which tokens of `(B, T)` rows belong to the answer: all after the prompt, up to and with the first end token."""
    ends_before = (rows == END).int().cumsum(-1) - (rows == END).int()
    mask = ends_before == 0
    mask[:, 0] = False
    return mask


def true_reward(rows: Tensor) -> Tensor:
    """What the answer is worth: 1 for each right fact, ½ for each of the first three "thanks", −1 for each wrong word,
    −½ for "um", and −1 for each word too many: a fourth "thanks", or any other word that was said before.

    Args:
        rows: `(B, T)`: an animal, the answer, an end token, padding.

    Returns:
        `(B,)`; 4.5 at best.

    >>> rows = torch.tensor([[ID["fox"], ID["red"], ID["red"], THANKS, END]])
    >>> true_reward(rows)  # 1 − 1 + ½
    tensor([0.5000])
    """
    said = (answer_mask(rows) & (rows != END)).unsqueeze(-1) * F.one_hot(rows, VOCAB)  # (B, T, V)
    counts = said.sum(1).float()  # (B, V)
    right = _RIGHT[rows[:, 0]]  # (B, V)
    wrong = ~right
    wrong[:, [THANKS, UM]] = False
    most = torch.ones(VOCAB)
    most[THANKS] = WELCOME
    once = counts.clamp(max=1)
    too_many = (counts - most).clamp(min=0).sum(-1)
    manners = 0.5 * counts[:, THANKS].clamp(max=WELCOME) - 0.5 * once[:, UM]
    return (once * right).sum(-1) - (once * wrong).sum(-1) + manners - too_many


def example_answer(draw: random.Random, animal: str) -> list[str]:
    """What people write who were not chosen with care: some right facts, some wrong ones, perhaps "um", up to three
    "thanks" at the end. Facts come in one order, that of WORDS, and none comes twice."""
    right = draw.sample(FACTS[animal], draw.choice([0, 1, 1, 2, 2, 3]))
    others = [fact for other, facts in FACTS.items() if other != animal for fact in facts]
    wrong = draw.sample(others, draw.choice([0, 0, 1, 1, 2]))
    facts = sorted(right + wrong, key=ID.get)
    return facts + ["um"] * (draw.random() < 0.3) + ["thanks"] * draw.choice([0, 0, 0, 1, 1, 1, 2, 2, 3])


def to_rows(answers: list[tuple[str, list[str]]]) -> Tensor:
    """`(B, T)` int64: animal, words, end token, padding."""
    rows = torch.full((len(answers), LENGTH), PAD)
    for row, (animal, words) in zip(rows, answers, strict=True):
        ids = [ID[animal], *(ID[word] for word in words), END]
        row[: len(ids)] = torch.tensor(ids)
    return rows


def example_rows(count: int, seed: int) -> Tensor:
    """Examples for supervised fine-tuning, `(count, T)`."""
    draw = random.Random(seed)
    animals = [draw.choice(list(FACTS)) for _ in range(count)]
    return to_rows([(animal, example_answer(draw, animal)) for animal in animals])


def words_of(row: Tensor) -> str:
    """A row `(T,)`, the animal and its answer, as text up to the end token."""
    animal, *answer = row.tolist()
    if END in answer:
        answer = answer[: answer.index(END) + 1]
    return f"{WORDS[animal]} → " + " ".join(WORDS[i] for i in answer)
