"""Sums of two numbers with two digits: prompts, the rule that scores them, and fine-tuning up to about half right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from tformer_course.assets import asset
from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.grpo import GrpoBatch, pass_at_k, rule_reward, sample_group
from tformer_course.models.pretrain_finetune import next_token_loss

from .caching import Remembering

WORDS = [*"0123456789", "+", "=", ".", "<user>", "<bot>", "<answer>", "</answer>", "gladly ", "<end>"]
ID = {word: i for i, word in enumerate(WORDS)}
END = ID["<end>"]
VOCAB = len(WORDS)
BUDGET = 6  # <answer> 1 2 3 </answer> <end>
LENGTH = 16

Pairs = Sequence[tuple[int, int]]


def _split() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    pairs = [(a, b) for a in range(10, 100) for b in range(10, 100)]
    order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(10)).tolist()
    shuffled = [pairs[i] for i in order]
    return shuffled[500:], shuffled[:500]


TRAIN, TEST = _split()  # 7,600 sums to learn from, 500 that no training ever asks


def arithmetic_model(seed: int) -> TinyStack:
    """Chapter 05's small causal stack: 2 layers, 64 wide."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return TinyStack(VOCAB, causal=True, d_model=64, num_heads=4, num_layers=2, max_len=LENGTH)


def trained_model(stage: str, seed: int = 0) -> TinyStack:
    """A model that comes with the course: stage "sft" (about half right) or "grpo" (after rule rewards), seeds 0, 1, 2.

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    model = arithmetic_model(seed)
    weights = load_file(asset(f"weights/10_grpo/{stage}_seed{seed}.safetensors"))
    model.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return model


def encode(*words: str) -> list[int]:
    """Ids of words; a string of digits is one word per digit."""
    return [ID[w] for word in words for w in (word if word.isdecimal() else [word])]


def decode(ids: Iterable[int]) -> str:
    """Text up to the first end token."""
    words = []
    for i in ids:
        if i == END:
            break
        words.append(WORDS[i])
    return "".join(words)


def prompts_of(pairs: Pairs) -> Tensor:
    """`(P, 7)`: user, two digits, plus, two digits, bot."""
    return torch.tensor([encode("<user>", str(a), "+", str(b), "<bot>") for a, b in pairs])


def answer_rows(pairs: Pairs, budget: int = BUDGET, before: Sequence[str] = ()) -> Tensor:
    """`(P, budget)`: the right completions, padded with the end token; `before` is what is said before the tag."""
    rows = torch.full((len(pairs), budget), END)
    for row, (a, b) in zip(rows, pairs, strict=True):
        ids = encode(*before, "<answer>", str(a + b), "</answer>", "<end>")
        row[: len(ids)] = torch.tensor(ids)
    return rows


def first_ends(completions: Tensor) -> Tensor:
    """Of completions `(…, budget)` a bool mask of that shape, True up to and with the first end token."""
    ends = (completions == END).cumsum(dim=-1)
    return (ends == 0) | ((ends == 1) & (completions == END))


def rewards_of(completions: Tensor, pairs: Pairs) -> Tensor:
    """`rule_reward` of completions `(P, G, T)`: float32 `(P, G)`."""
    return torch.tensor(
        [
            [rule_reward(decode(c), a + b) for c in group]
            for group, (a, b) in zip(completions.tolist(), pairs, strict=True)
        ]
    )


def draw_pairs(count: int, generator: torch.Generator | None, pairs: Pairs = TRAIN) -> Pairs:
    """Some of the pairs."""
    return [pairs[i] for i in torch.randint(len(pairs), (count,), generator=generator).tolist()]


def sum_batch(generator: torch.Generator | None, prompts: int = 32, budget: int = BUDGET) -> GrpoBatch:
    """A batch for `train_grpo`."""
    pairs = draw_pairs(prompts, generator)
    return GrpoBatch(prompts_of(pairs), partial(rewards_of, pairs=pairs), budget, END)


@torch.no_grad()
def greedy(model: nn.Module, pairs: Pairs = TEST, budget: int = BUDGET) -> Tensor:
    """The likeliest completion, token by token: `(P, budget)`."""
    tokens = prompts_of(pairs)
    start, running, read = tokens.shape[1], torch.ones(len(tokens), dtype=torch.bool), Remembering(model)
    for _ in range(budget):
        drawn = read(tokens)[:, -1].argmax(dim=-1).masked_fill(~running, END)
        tokens, running = torch.cat([tokens, drawn.unsqueeze(1)], dim=1), running & (drawn != END)
    return tokens[:, start:]


def greedy_accuracy(model: nn.Module, pairs: Pairs = TEST, budget: int = BUDGET) -> float:
    """Share of sums whose greedy completion earns the whole reward."""
    return (rewards_of(greedy(model, pairs, budget).unsqueeze(1), pairs) == 1).double().mean().item()


def sampled_tokens(model: nn.Module, pairs: Pairs, samples: int, seed: int = 0, budget: int = BUDGET) -> Tensor:
    """Completions drawn at temperature 1: `(P, samples, budget)`."""
    generator = torch.Generator().manual_seed(seed)
    tokens, _, _ = sample_group(Remembering(model), prompts_of(pairs), samples, budget, 1.0, END, generator)
    return tokens[..., -budget:]


def sampled(model: nn.Module, pairs: Pairs, samples: int, seed: int = 0, budget: int = BUDGET) -> Tensor:
    """Rewards of completions drawn at temperature 1: `(P, samples)`."""
    return rewards_of(sampled_tokens(model, pairs, samples, seed, budget), pairs)


def pass_curve(rewards: Tensor, ks: Sequence[int]) -> dict[int, float]:
    """Mean pass@k over prompts, from rewards `(P, n)`."""
    right = (rewards == 1).sum(dim=1).tolist()
    return {k: sum(pass_at_k(rewards.shape[1], c, k) for c in right) / len(right) for k in ks}


def fine_tune(
    model: nn.Module,
    *,
    seed: int,
    until: float = 0.5,
    peak: float = 2e-3,
    batch: int = 64,
    most: int = 4000,
    rows_of: Callable[[Pairs, torch.Generator], Tensor] | None = None,
    budget: int = BUDGET,
    every: int = 10,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> tuple[list[float], list[float]]:
    """Supervised fine-tuning on right answers, stopped where greedy accuracy on 120 taught sums passes `until`.

    Args:
        model: Changed in place.
        seed: Of the sums.
        until: Share of right answers at which it stops.
        peak, batch, most: AdamW's rate, rows per step, largest number of steps.
        rows_of: Right completions of pairs, `(P, budget)`; None takes `answer_rows`.
        budget, every, progress: Tokens per completion; steps between looks; wraps the steps.

    Returns:
        The loss of each step, and the accuracy at each look.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, weight_decay=0.0)
    losses, looks, asked = [], [], TRAIN[:120]
    for step in progress(range(1, most + 1)):
        pairs = draw_pairs(batch, generator)
        prompts, answers = prompts_of(pairs), rows_of(pairs, generator) if rows_of else answer_rows(pairs, budget)
        labels = torch.cat([torch.full_like(prompts, -100), answers.masked_fill(~first_ends(answers), -100)], dim=1)
        loss = next_token_loss(model(torch.cat([prompts, answers], dim=1)), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step >= 150 and step % every == 0:  # before, there is nothing to see
            looks.append(greedy_accuracy(model, asked, budget))
            if looks[-1] >= until:
                break
    return losses, looks
