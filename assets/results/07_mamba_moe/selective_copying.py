"""Selective copying by a selective and by a time-invariant model of the same size, three seeds each.

    python assets/results/07_mamba_moe/selective_copying.py

Task and model are those of `tformer_course.training.mamba_moe`: 4 of 16 symbols among 20 places, then 4 places to
answer; two blocks, 32 wide. The time-invariant block has no gate. Adam, batches of 48, 800 steps. Six runs of about a
minute on one core. Each run is written to selective_copying.json as soon as it ends, its weights to
assets/weights/07_mamba_moe/; a run that is there is not repeated.
"""

import json
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from tformer_course.training.mamba_moe import Copier, copying_accuracy, copying_batch

RESULTS = Path(__file__).with_suffix(".json")
WEIGHTS = RESULTS.parents[2] / "weights" / "07_mamba_moe"
SETUP = {"length": 20, "keep": 4, "d_model": 32, "d_state": 8, "layers": 2, "batch": 48, "steps": 800, "every": 50}
LEARNING_RATE, WARMUP, DECAY = 5e-3, 50, 300  # the rate rises linearly at first and falls to 0 at the end
KINDS = ("selective", "time-invariant")


def train(kind: str, seed: int) -> tuple[Copier, dict[str, list[float]]]:
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(1000 + seed)
    model = Copier(kind, SETUP["d_model"], SETUP["d_state"], SETUP["layers"])
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    history: dict[str, list[float]] = {"loss": [], "accuracy": []}
    for step in range(SETUP["steps"]):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(1.0, (step + 1) / WARMUP, (SETUP["steps"] - step) / DECAY)
        tokens, symbols = copying_batch(SETUP["batch"], SETUP["length"], SETUP["keep"], generator)
        loss = F.cross_entropy(model(tokens)[:, -SETUP["keep"] :].flatten(0, 1), symbols.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (step + 1) % SETUP["every"] == 0:
            history["loss"].append(round(loss.item(), 4))
            history["accuracy"].append(round(copying_accuracy(model, SETUP["length"], SETUP["keep"], 512, 99), 4))
            print(kind, seed, step + 1, history["accuracy"][-1], flush=True)
    return model, history


def main() -> None:
    torch.set_num_threads(1)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"runs": {}}
    results["setup"] = SETUP
    for seed, kind in product(range(3), KINDS):
        name = f"{kind} seed={seed}"
        if name not in results["runs"]:
            model, results["runs"][name] = train(kind, seed)
            weights = {key: value.contiguous() for key, value in model.state_dict().items()}
            save_file(weights, WEIGHTS / f"{kind}_seed{seed}.safetensors")
            RESULTS.write_text(json.dumps(results, indent=0).replace(",\n", ", ").replace('}, "', '},\n"') + "\n")


if __name__ == "__main__":
    main()
