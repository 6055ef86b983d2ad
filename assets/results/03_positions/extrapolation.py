"""The extrapolation study of chapter 03: five kinds of positions trained at length 64, read at up to 1024.

    python assets/results/03_positions/extrapolation.py

Trains 5 kinds × 3 seeds (one after the other, one thread), rounds the weights to float16, writes them to
assets/weights/03_positions/, and measures each with the stored weights: perplexity of the same 32 × 32 last characters
with 64 to 1024 characters in view. RoPE is also read with position interpolation, NTK-aware scaling and YaRN, for which
nothing is trained again. What is done already is not done again: stop and start it as you like. About 10 minutes on a
free core. The results are written to extrapolation.json beside this file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from tformer_course.models.positions import PositionLM, extended_tables, perplexity_by_length
from tformer_course.training.positions import TRAIN_LEN, held_out_rows, train_position_lm, trained_position_lm

SEEDS = (0, 1, 2)
KINDS = ("none", "learned", "sinusoidal", "rope", "alibi")
METHODS = ("raw", "pi", "ntk", "yarn")
LENGTHS = (64, 96, 128, 192, 256, 512, 1024)
TARGETS = 32
STEPS = 600
HERE = Path(__file__).resolve().parent
RESULTS = HERE / "extrapolation.json"
WEIGHTS = HERE.parents[1] / "weights" / "03_positions"


def in_chunks(model: PositionLM, rows: int = 8) -> Callable[[Tensor], Tensor]:
    """The same model, given a few rows at a time: the scores of 32 rows of 1024 would need 500 MB per layer."""
    return lambda tokens: torch.cat([model(chunk) for chunk in tokens.split(rows)])


def other_far_text(tokens: Tensor) -> Tensor:
    """The last 64 tokens stay; all before them come from another row."""
    return torch.cat((tokens.roll(1, dims=0)[:, :-TRAIN_LEN], tokens[:, -TRAIN_LEN:]), dim=1)


def measure(kind: str, seed: int) -> dict:
    """Perplexities of one trained model; None where it cannot read a text of that length."""
    model, tokens = trained_position_lm(kind, seed), held_out_rows()
    lengths = [n for n in LENGTHS if kind != "learned" or n <= TRAIN_LEN]
    result = {}
    for method in METHODS if kind == "rope" else ("raw",):
        if kind == "rope":
            model.tables = extended_tables(method, model.d_head, TRAIN_LEN)
        name = kind if method == "raw" else f"{kind}+{method}"
        found = perplexity_by_length(in_chunks(model), tokens, lengths, TARGETS)
        result[name] = {str(n): round(found[n], 4) if n in found else None for n in LENGTHS}
        if method == "raw" and kind != "learned":
            longer = [n for n in lengths if n > TRAIN_LEN]
            found = perplexity_by_length(in_chunks(model), other_far_text(tokens), longer, TARGETS)
            result[f"{name}, other far text"] = {str(n): round(p, 4) for n, p in found.items()}
    return result


def main() -> None:
    """Trains and measures what is missing."""
    torch.set_num_threads(1)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    done = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    done["setting"] = {
        "train_len": TRAIN_LEN,
        "lengths": LENGTHS,
        "seeds": SEEDS,
        "steps": STEPS,
        "targets": TARGETS,
        "rows": len(held_out_rows()),
    }
    runs = done.setdefault("runs", {})
    for seed in SEEDS:
        for kind in KINDS:
            key, path = f"{kind} seed {seed}", WEIGHTS / f"{kind}_seed{seed}.safetensors"
            if not path.exists():
                model, losses = train_position_lm(kind, seed, STEPS)
                save_file({k: v.half().contiguous() for k, v in model.state_dict().items()}, path)
                print(f"{key}: last loss {sum(losses[-20:]) / 20:.3f}", flush=True)
                runs.pop(key, None)
            if key not in runs:
                runs[key] = measure(kind, seed)
                RESULTS.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
                print(f"{key}: {runs[key]}", flush=True)
    finite = [p for run in runs.values() for row in run.values() for p in row.values() if p is not None]
    print(f"{len(runs)} runs, {len(finite)} perplexities, all finite: {all(map(math.isfinite, finite))}")


if __name__ == "__main__":
    main()
