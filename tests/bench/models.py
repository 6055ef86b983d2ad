"""Tokens per second of this course's LLaMA with its cache, beside transformers' own on the same weights, in one run.

    python tests/bench/models.py            # writes docs/bench_models.md; a number sets how many rounds

Both read the same prompt once and then decode greedily, one token per call, with the same number of threads and the
same dtype. transformers is run three ways, and the fastest counts: `generate`, a bare loop over its forward pass with
sdpa attention, and the same loop with eager attention. The runners take turns within each round, so that what else the
machine does falls on all of them. Exit code 1 where ours has less than 0.9 of the best of theirs.
"""

from __future__ import annotations

import datetime
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
import transformers
from torch import Tensor

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
NEW_TOKENS, PROMPTS, GOAL = 32, (16, 512), 0.9


def loop(model) -> Callable[[Tensor, int], Tensor]:
    """Greedy decoding by transformers' forward pass and its cache, without what `generate` does around it."""

    def run(prompt: Tensor, count: int) -> Tensor:
        tokens, unread, cache = prompt, prompt, transformers.DynamicCache()
        for _ in range(count):
            output = model(unread, past_key_values=cache, use_cache=True, logits_to_keep=1)
            unread = output.logits[:, -1].argmax(dim=-1, keepdim=True)
            tokens = torch.cat((tokens, unread), dim=1)
        return tokens

    return run


def runners() -> dict[str, Callable[[Tensor, int], Tensor]]:
    """What is compared; all share one copy of the weights but for the eager model."""
    from tformer_course.models.families import generate_cached, llama_from
    from tformer_course.pretrained import load_llama

    sdpa, _ = load_llama(attn_implementation="sdpa")
    eager, _ = load_llama(attn_implementation="eager")
    ours = llama_from(sdpa)

    def generate(prompt: Tensor, count: int) -> Tensor:
        return sdpa.generate(prompt, max_new_tokens=count, do_sample=False, eos_token_id=None, pad_token_id=0)

    return {
        "this course, models/llama.py": lambda prompt, count: generate_cached(ours.step, prompt, count),
        "transformers, generate (sdpa)": generate,
        "transformers, bare loop (sdpa)": loop(sdpa),
        "transformers, bare loop (eager)": loop(eager),
    }


def measure(rounds: int) -> dict[int, dict[str, list[float]]]:
    """Tokens per second while decoding: seconds of the prompt are measured apart and taken off."""
    found: dict[int, dict[str, list[float]]] = {}
    compared = runners()
    for length in PROMPTS:
        prompt = torch.randint(0, 49_000, (1, length), generator=torch.Generator().manual_seed(length))
        texts = {name: run(prompt, NEW_TOKENS + 1) for name, run in compared.items()}  # also warms up
        if len({tuple(text[0].tolist()) for text in texts.values()}) > 1:
            print(f"prompt of {length}: the texts differ where two logits are almost equal; speeds stay comparable")
        for _ in range(rounds):
            for name, run in compared.items():
                started = time.perf_counter()
                run(prompt, 1)
                middle = time.perf_counter()
                run(prompt, NEW_TOKENS + 1)
                seconds = time.perf_counter() - middle - (middle - started)
                found.setdefault(length, {}).setdefault(name, []).append(NEW_TOKENS / seconds)
    return found


def report(found: dict[int, dict[str, list[float]]], rounds: int) -> tuple[list[str], float]:
    """The lines of the document, and the smallest ratio of ours to the best of theirs."""
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}, Python {platform.python_version()}"
    machine = f"{os.cpu_count()} processors shared with other work (load at the end {os.getloadavg()[0]:.1f})"
    lines = [
        "# LLaMA with its cache, measured against transformers",
        "",
        f"{datetime.date.today()}, `make bench-models` (`python tests/bench/models.py`): SmolLM2-135M, float32,",
        f"{NEW_TOKENS} greedy tokens after the prompt, {torch.get_num_threads()} thread(s), {versions},",
        f"{machine}; median (minimum to maximum) of",
        f"{rounds} rounds in which all take turns. Seconds depend on the machine; ratios are of medians.",
        "The goal is at least 0.9 of the best.",
        "",
        "| prompt | runner | tokens/s while decoding | ours / this |",
        "|-:|-|-:|-:|",
    ]
    worst = float("inf")
    for length, rows in found.items():
        medians = {name: statistics.median(values) for name, values in rows.items()}
        ours, *theirs = medians
        worst = min(worst, medians[ours] / max(medians[name] for name in theirs))
        for name, values in rows.items():
            speed = f"{medians[name]:.1f} ({min(values):.1f}–{max(values):.1f})"
            lines.append(f"| {length} | {name} | {speed} | {medians[ours] / medians[name]:.2f} |")
    lines += ["", f"Smallest ratio of ours to the best of theirs: **{worst:.2f}**."]
    return lines, worst


def main() -> int:
    warnings.simplefilter("ignore")
    transformers.utils.logging.set_verbosity_error()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with torch.inference_mode():
        lines, worst = report(measure(rounds), rounds)
    (ROOT / "docs" / "bench_models.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines[8:]))
    return 0 if worst >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
