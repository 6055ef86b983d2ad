"""The capstone: one small model through pretraining, fine-tuning, preferences and rule rewards; every stage is kept."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import load_file, save
from torch import Tensor, nn

from tformer_course.models.grpo import train_grpo
from tformer_course.models.pretrain_finetune import cosine_with_warmup, next_token_loss
from tformer_course.models.rlhf_dpo import dpo_loss, sequence_log_probs

from .arithmetic import (
    END,
    ID,
    TEST,
    Pairs,
    answer_rows,
    arithmetic_model,
    decode,
    draw_pairs,
    encode,
    fine_tune,
    first_ends,
    greedy,
    greedy_accuracy,
    pass_curve,
    prompts_of,
    rewards_of,
    sampled_tokens,
    sum_batch,
)
from .caching import Remembering

STAGES = ("pretraining", "SFT", "preference", "GRPO")
BUDGET = 7  # gladly <answer> 1 2 3 </answer> <end>
GLADLY = "gladly "
SETTINGS = {"pretraining": 200, "half": 0.5, "preference": 40, "GRPO": 100, "prompts": 16, "asked": 100, "samples": 32}
SHORT = {"pretraining": 150, "half": 0.15, "preference": 20, "GRPO": 8, "prompts": 16, "asked": 60, "samples": 8}

Progress = Callable[..., Iterable[int]]


def _no_bar(steps: Iterable[int], desc: str = "") -> Iterable[int]:
    return steps


def plain_rows(pairs: Pairs) -> Tensor:
    """Text as it is pretrained on, `17+25=42.`: `(P, 11)`, begun with the end token and padded with −100."""
    rows = torch.full((len(pairs), 11), -100)
    for row, (a, b) in zip(rows, pairs, strict=True):
        ids = encode("<end>", str(a), "+", str(b), "=", str(a + b), ".")
        row[: len(ids)] = torch.tensor(ids)
    return rows


def plain_loss(model: nn.Module, pairs: Pairs) -> Tensor:
    """Next-token loss on plain text, a scalar in nats per token."""
    rows = plain_rows(pairs)
    return next_token_loss(model(rows.clamp(min=0)), rows)


def mixed_rows(pairs: Pairs, generator: torch.Generator) -> Tensor:
    """Right completions `(P, BUDGET)`, every second one begun with "gladly" by the toss of a coin."""
    friendly = (torch.rand(len(pairs), generator=generator) < 0.5).unsqueeze(1)
    return torch.where(friendly, answer_rows(pairs, BUDGET, (GLADLY,)), answer_rows(pairs, BUDGET))


def pretrain(model: nn.Module, steps: int, seed: int, progress: Progress = _no_bar) -> list[float]:
    """Next tokens of plain sums; the loss of each step."""
    generator, losses = torch.Generator().manual_seed(seed), []
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.0)
    for step in progress(range(1, steps + 1), desc="pretraining"):
        for group in optimizer.param_groups:
            group["lr"] = cosine_with_warmup(step, 20, steps + 1, 3e-3, 3e-4)
        loss = plain_loss(model, draw_pairs(64, generator))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def prefer(model: nn.Module, steps: int, seed: int, progress: Progress = _no_bar) -> list[float]:
    """DPO on pairs that differ in manner alone: "gladly" is preferred; the loss of each step."""
    reference, generator, losses = copy.deepcopy(model).eval(), torch.Generator().manual_seed(seed), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.0)
    for _ in progress(range(steps), desc="preference"):
        pairs = draw_pairs(32, generator)
        prompts = prompts_of(pairs).repeat(2, 1)
        answers = torch.cat([answer_rows(pairs, BUDGET, (GLADLY,)), answer_rows(pairs, BUDGET)])  # chosen, rejected
        tokens = torch.cat([prompts, answers], dim=1)
        mask = torch.cat([torch.zeros_like(prompts, dtype=torch.bool), first_ends(answers)], dim=1)
        with torch.no_grad():
            known = sequence_log_probs(reference(tokens), tokens, mask).chunk(2)
        loss, _, _ = dpo_loss(*sequence_log_probs(model(tokens), tokens, mask).chunk(2), *known, beta=0.1)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def examine(model: nn.Module, asked: int, samples: int) -> dict:
    """The same questions after every stage, on sums that no stage has seen."""
    tokens = sampled_tokens(model, TEST[:asked], samples, budget=BUDGET)
    rewards = rewards_of(tokens, TEST[:asked])
    passed = pass_curve(rewards, [1, samples])
    return {
        "accuracy": round(greedy_accuracy(model, TEST, BUDGET), 4),
        "pass@1": round(passed[1], 4),
        "pass@n": round(passed[samples], 4),
        "form": round((rewards > 0).double().mean().item(), 4),
        "gladly": round((tokens[..., 0] == ID[GLADLY]).double().mean().item(), 4),
        "plain loss": round(plain_loss(model, TEST).item(), 4),
        "length": round(first_ends(tokens).sum(-1).double().mean().item(), 3),
        "samples": [decode(c) for c in greedy(model, TEST[:4], BUDGET).tolist()],
    }


def _train(stage: str, model: nn.Module, settings: dict, seed: int, progress: Progress) -> list[float]:
    if stage == "pretraining":
        return pretrain(model, settings[stage], seed, progress)
    if stage == "SFT":
        bar = partial(progress, desc=stage)
        options = {"rows_of": mixed_rows, "budget": BUDGET, "most": 1500, "progress": bar}
        return fine_tune(model, seed=seed, until=settings["half"], **options)[0]
    if stage == "preference":
        return prefer(model, settings[stage], seed, progress)
    reference = copy.deepcopy(model).eval()
    make_batch = partial(sum_batch, prompts=settings["prompts"], budget=BUDGET)
    options = {"sampler": Remembering, "progress": partial(progress, desc=stage)}
    generator = torch.Generator().manual_seed(seed)
    return train_grpo(model, reference, make_batch, settings[stage], 16, 4e-4, generator, **options)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all: a run that is killed while it writes leaves the old file or none."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)


def _same_settings(path: Path, settings: dict) -> None:
    """Write the settings down; a folder that holds a run of other settings is left alone."""
    if path.exists() and (found := json.loads(path.read_text(encoding="utf-8"))) != settings:
        raise ValueError(f"{path.parent} holds a run with settings {found}, not {settings}; take another folder")
    _write(path, json.dumps(settings).encode())


def run_pipeline(
    folder: str | Path, seed: int, settings: dict = SETTINGS, progress: Progress = _no_bar
) -> tuple[nn.Module, dict]:
    """All stages, one after another; a stage that is in the folder already is read and not trained again.

    A run may be killed at any moment and called again: it goes on with the stage at which it stood, from that stage's
    beginning. All chance of a stage comes from a generator of its own, so the result is that of a run in one piece.

    Args:
        folder: Where weights and records of each stage are kept.
        seed: Of the model, the data and the samples.
        settings: Steps per stage and sizes, as `SETTINGS` or `SHORT`.
        progress: `progress(steps, desc=…)` wraps the steps of a stage, for example tqdm.

    Returns:
        The model after the last stage, and by stage what was recorded: `curve` and the answers of `examine`.

    Raises:
        ValueError: Where the folder holds a run of this seed with other settings.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _same_settings(folder / f"settings_seed{seed}.json", settings)
    model, records = arithmetic_model(seed), {}
    for stage in STAGES:
        weights, record = folder / f"{stage}_seed{seed}.safetensors", folder / f"{stage}_seed{seed}.json"
        if not (weights.exists() and record.exists()):
            curve = _train(stage, model, settings, seed, progress)
            _write(weights, save({name: w.half().contiguous() for name, w in model.state_dict().items()}))
            found = {"curve": [round(v, 3) for v in curve], **examine(model, settings["asked"], settings["samples"])}
            _write(record, json.dumps(found).encode())  # last: a stage counts once it is there
        model.load_state_dict({name: w.float() for name, w in load_file(weights).items()})
        records[stage] = json.loads(record.read_text(encoding="utf-8"))
    return model, records


__all__ = ["BUDGET", "END", "SETTINGS", "SHORT", "STAGES", "examine", "mixed_rows", "plain_loss", "run_pipeline"]
