"""train_grpo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from ...models.grpo import GrpoBatch, completion_log_probs, group_advantages, grpo_loss, loop, sample_group
from ..core.exercise import Case, Exercise, Mistake

PROMPTS, WORDS, END = 4, 6, 5


class Table(nn.Module):
    """A policy as a table: the scores of the next token by the last one."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight.clone())

    def forward(self, tokens: Tensor) -> Tensor:
        return self.weight[tokens]


def wanted_token(prompts: Tensor) -> Tensor:
    """What the reward asks for: one above the prompt's last token, so every prompt wants another token."""
    return (prompts[:, -1] + 1) % PROMPTS


@dataclass
class Watch:
    """What a loop asked for: batches, mean rewards, and whether a reward was shown the prompt."""

    batches: int = 0
    rewards: list[float] = field(default_factory=list)
    prompt_shown: bool = False


def batches(watch: Watch, constant: bool = False) -> Callable:
    """A `make_batch` that is watched."""

    def make_batch(generator):
        watch.batches += 1
        prompts = torch.randint(PROMPTS, (8, 1), generator=generator)

        def reward(completions):
            watch.prompt_shown |= completions.dim() == 3 and bool((completions[..., 0] == prompts).all())
            right = (completions[..., 0] == wanted_token(prompts).unsqueeze(-1)).to(torch.float32)
            right = torch.ones_like(right) if constant else right
            watch.rewards.append(float(right.mean()))
            return right

        return GrpoBatch(prompts, reward, 2, END)

    return make_batch


def after(
    answer: Callable, weight: Tensor, steps: int, group: int, lr: float, seed: int, constant: bool = False
) -> dict:
    """The table after training, the reference after it, and whether the history is what the rewards were."""
    model, reference, watch = Table(weight), Table(weight), Watch()
    generator = torch.Generator().manual_seed(seed)
    history = answer(model, reference, batches(watch, constant), steps, group, lr, generator)
    return {
        "weight": model.weight.detach().clone(),
        "reference": reference.weight.detach().clone(),
        "history": [float(x) for x in history],
        "seen": watch.rewards,
        "batches": watch.batches,
    }


def first_fault(answer: Callable, weight: Tensor, steps: int, group: int, lr: float, seed: int) -> str:
    """The first thing that is wrong with the lines around the step, whatever the policy learns."""
    model, watch = Table(weight), Watch()
    flown: list[Tensor] = []
    model.weight.register_hook(lambda gradient: flown.append(gradient.clone()))
    generator = torch.Generator().manual_seed(seed)
    history = answer(model, Table(weight), batches(watch), steps, group, lr, generator)
    if watch.prompt_shown:
        return "the reward is shown the prompt"
    if not (isinstance(history, list | tuple) or isinstance(history, Tensor) and history.dim()):
        return "no list"
    if watch.batches == 1 and len(watch.rewards) == steps:
        return "one batch for all steps"
    left, moved = model.weight.grad, not torch.equal(model.weight, weight)
    if not moved or left is None or len(flown) < 2:
        return "none"
    # A step may add up several gradients of its own; only the sum of all steps is a fault.
    added = torch.allclose(left, sum(flown), 1e-3, 1e-7) and not torch.allclose(left, flown[-1], 1e-3, 1e-7)
    return "gradients add up" if added else "none"


def chances(weight: Tensor) -> Tensor:
    """Mean probability of the wanted token."""
    prompts = torch.arange(PROMPTS).unsqueeze(1)
    return weight[:PROMPTS].softmax(-1).gather(-1, wanted_token(prompts).unsqueeze(-1)).mean()


def told(answer: Callable, weight: Tensor, steps: int, group: int, lr: float, seed: int) -> dict:
    """What happened, in words, so that honest runs agree and mistakes differ."""
    found = after(answer, weight, steps, group, lr, seed)
    gain = float(chances(found["weight"]) - chances(weight))
    moved = "up" if gain > 0.2 else "down" if gain < -0.12 else "hardly"
    moved = "not moved" if torch.equal(found["weight"], weight) else moved
    history, seen = found["history"], found["seen"]
    said = "as many as steps" if len(history) == steps else "another number"
    if len(history) == steps and len(seen) == steps:
        same = max(abs(a - b) for a, b in zip(history, seen, strict=True)) < 1e-4
        said = "the mean rewards" if same else "other numbers"
    return {
        "chance of the rewarded token": moved,
        "reference": "as before" if torch.equal(found["reference"], weight) else "changed",
        "history": said,
        "samples": "new in every step" if len(seen) == found["batches"] == steps else "not one batch per step",
    }


def expected_words(*given) -> dict:
    return {
        "chance of the rewarded token": "up",
        "reference": "as before",
        "history": "the mean rewards",
        "samples": "new in every step",
    }


def _of(
    *,
    advantages: Callable = group_advantages,
    optimised: str = "model",
    shown: Callable = lambda tokens, budget: tokens[..., -budget:],
    once: bool = False,
    one_batch: bool = False,
    zero: bool = True,
    report: Callable = lambda rewards, loss: rewards.mean().item(),
    step: bool = True,
    detached: bool = False,
    mixed: bool = False,
    seeded: bool = True,
) -> Callable:
    """The loop with one thing done differently."""

    def train_grpo(model, reference, make_batch, steps, group_size, lr, generator=None):
        optimizer = torch.optim.AdamW((reference if optimised == "reference" else model).parameters(), lr=lr)
        history, batch, rewards = [], None, None
        for _ in range(steps):
            if batch is None or not once:
                batch = batch if batch and one_batch else make_batch(generator)
                prompts, reward, budget, end = batch
                draws = generator if seeded else None
                tokens, mask, old = sample_group(model, prompts, group_size, budget, 1.0, end, draws)
                rewards = reward(shown(tokens, budget))
            shaped = rewards.flip(0) if mixed else rewards
            a = advantages(shaped).flatten()
            rows, flat, old_ = tokens.flatten(0, 1), mask.flatten(0, 1), old.flatten(0, 1)
            policy = reference if optimised == "reference" else model
            log_p = completion_log_probs(policy, rows, budget)
            with torch.no_grad():
                log_ref = completion_log_probs(reference, rows, budget)
            loss = grpo_loss(log_p.detach() if detached else log_p, old_, log_ref, a, flat)
            if step and not detached:
                if zero:
                    optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            history.append(report(rewards, loss))
        return history

    return train_grpo


def repeated(answer: Callable, weight: Tensor, steps: int, group: int, lr: float, seed: int) -> dict:
    """Whether equal generators give equal models."""
    first, second = (after(answer, weight, steps, group, lr, seed)["weight"] for _ in range(2))
    return {"equal generators give equal models": bool(torch.equal(first, second))}


def _no_history(model, reference, make_batch, steps, group_size, lr, generator=None):
    _of()(model, reference, make_batch, steps, group_size, lr, generator)
    return []


def _one_number(model, reference, make_batch, steps, group_size, lr, generator=None):
    return _of()(model, reference, make_batch, steps, group_size, lr, generator)[-1]


TRAIN_GRPO = Exercise(
    name="train_grpo",
    points=3.5,
    reference=loop.train_grpo,
    cases=(
        Case(
            "what each step takes and leaves",
            lambda draw: [0.1 * torch.randn(WORDS, WORDS, generator=draw.generator), 4, 8, 0.1, draw.integer(0, 999)],
            expected=lambda *given: "none",
            call=first_fault,
            limit=5.0,
        ),
        Case(
            "a table of scores",
            lambda draw: [0.1 * torch.randn(WORDS, WORDS, generator=draw.generator), 40, 8, 0.1, draw.integer(0, 999)],
            expected=expected_words,
            call=told,
            limit=5.0,
        ),
        Case(
            "rewards that are all equal",
            # All scores 0, so that weight decay and the distance to the reference have nothing to do either.
            lambda draw: [torch.zeros(WORDS, WORDS), 4, 6, 0.1, draw.integer(0, 999), True],
            call=after,
            holds=lambda value, weight, *rest: (
                True
                if float((value["weight"] - weight).abs().max()) < 0.02
                else "the policy moves although no sample is better than another"
            ),
            limit=5.0,
        ),
        Case(
            "the generator",
            lambda draw: [0.1 * torch.randn(WORDS, WORDS, generator=draw.generator), 5, 6, 0.1, draw.integer(0, 999)],
            expected=lambda *given: {"equal generators give equal models": True},
            call=repeated,
            limit=5.0,
        ),
    ),
    mistakes=(
        Mistake(
            "generator_forgotten",
            "equal generators give different models. Where else is chance at work, besides the batches?",
            _of(seeded=False),
        ),
        Mistake(
            "sign",
            "the rewarded token becomes less likely. What does the loss do with a positive advantage?",
            _of(advantages=lambda r: -group_advantages(r)),
        ),
        Mistake(
            "policy_never_moves",
            "the policy is where it was: no step reaches it. Which parameters does the optimiser hold, and does the "
            "loss depend on them?",
            _of(step=False),
        ),
        Mistake(
            "reference_trained",
            "the reference is changed and the policy is not. Whose parameters does the optimiser hold?",
            _of(optimised="reference"),
        ),
        Mistake(
            "groups_mixed",
            "the rewards of one prompt's group are given to another's. In which order do the sequences stand?",
            _of(mixed=True),
        ),
        Mistake(
            "one_batch",
            "only one batch is ever sampled. Whose samples does the next step need?",
            _of(once=True),
        ),
        Mistake(
            "loss_as_history",
            "your history holds the loss, which says nothing about progress. What should rise?",
            _of(report=lambda rewards, loss: float(loss.detach())),
        ),
        Mistake("no_history", "your history does not have one number per step. What is it asked to hold?", _no_history),
        Mistake(
            "prompt_rewarded",
            "`reward` received the prompt. Which last tokens are the completion?",
            _of(shown=lambda tokens, budget: tokens),
        ),
        Mistake("one_number", "one number came back. Where is the mean reward of each step?", _one_number),
        Mistake(
            "one_make_batch",
            "make_batch is called once for all steps. What should be new in every step?",
            _of(one_batch=True),
        ),
        Mistake(
            "no_zero_grad",
            "gradients of earlier steps are added up. What must be set to zero?",
            _of(zero=False),
        ),
    ),
)
