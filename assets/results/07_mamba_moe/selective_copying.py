"""Selective copying by a selective and by a time-invariant model of the same size, three seeds each.

    python assets/results/07_mamba_moe/selective_copying.py

Task, model and recipe are those of `tformer_course.training.mamba_moe`: 6 of 16 symbols, no symbol twice, among 6 to 64
places, then 6 places to answer; one block, 32 wide; the time-invariant one has no gate. Adam, 2,600 batches of 16 for
both kinds. Asked are 256 new sequences of 64 places, on the way and, place by place, at the end, where it is 128 places
too. Six runs of about a minute on one core; each is written to selective_copying.json as soon as it ends, and what is
there is not repeated. The weights (float16) are written to assets/weights/07_mamba_moe/, and those of seed 0 after
2,000 batches too: the notebook goes on from there. With a kind as argument only its runs are made.
"""

import sys
from itertools import product
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from tformer_course.training.mamba_moe import SYMBOLS, Copier, accuracy_by_place, copying_accuracy, train_copier
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
WEIGHTS = RESULTS.parents[2] / "weights" / "07_mamba_moe"
TASK = {"shortest": 6, "length": 64, "keep": 6}
SIZE = {"d_model": 32, "d_state": 16, "layers": 1}
STEPS, BATCH, EVERY, SAVED = 2600, 16, 200, 2000
KINDS = ("selective", "time-invariant")


def train(kind: str, seed: int) -> dict[str, list[float]]:
    torch.manual_seed(seed)
    model, accuracy = Copier(kind, **SIZE), []

    def save(name: str) -> None:
        weights = {key: weight.half().contiguous() for key, weight in model.state_dict().items()}
        save_file(weights, WEIGHTS / f"{name}.safetensors")

    def look(model: Copier, step: int) -> None:
        accuracy.append(round(copying_accuracy(model, TASK["length"], TASK["keep"], 256, 99), 4))
        print(kind, seed, step, accuracy[-1], flush=True)
        if seed == 0 and step == SAVED:
            save(f"{kind}_seed0_step{SAVED}")

    losses = train_copier(model, seed, steps=STEPS, batch=BATCH, look=look, every=EVERY, **TASK)
    save(f"{kind}_seed{seed}")
    model.load_state_dict(load_file(WEIGHTS / f"{kind}_seed{seed}.safetensors"))  # as rounded in the file
    mean = torch.tensor(losses).view(-1, 100).mean(dim=1)
    places, farther = (accuracy_by_place(model, length, TASK["keep"], 256, 99) for length in (64, 128))
    return {
        "loss": [round(value, 3) for value in mean.tolist()],
        "accuracy": accuracy,
        "by place": [round(value, 3) for value in places.tolist()],
        "at 128": [round(value, 3) for value in farther.tolist()],
    }


def main() -> None:
    torch.set_num_threads(1)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    chance = {"one of all symbols": 1 / SYMBOLS, "one of the hidden symbols": 1 / TASK["keep"]}
    recipe = {"steps": STEPS, "batch": BATCH, "every": EVERY, "saved": SAVED}
    results = Runs(RESULTS, {**TASK, **SIZE, **recipe, "chance": chance})
    for seed, kind in product(range(3), sys.argv[1:] or KINDS):
        name = f"{kind} seed={seed}"
        if name not in results:
            results.keep(name, train(kind, seed))


if __name__ == "__main__":
    main()
