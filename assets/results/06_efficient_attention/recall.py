"""Associative recall by softmax and by linear attention, over the number of pairs: three seeds each.

    python assets/results/06_efficient_attention/recall.py

Writes recall.json beside this file after each run and goes on where it stopped; the two models with 16 pairs and seed
0 go to assets/weights/06_efficient_attention/. Some minutes on one core.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

from tformer_course.training.recall import train_recall

HERE = Path(__file__).resolve().parent
WEIGHTS = HERE.parents[1] / "weights" / HERE.name
RUNS = [("softmax", 16), ("linear", 16), ("linear", 64)]
PAIRS = [4, 8, 16, 32, 64]


def main() -> None:
    """Trains what is missing."""
    torch.set_num_threads(1)
    path = HERE / "recall.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for pairs in PAIRS:
        for seed in range(3):
            for kind, d_head in RUNS:
                name = f"{kind} D={d_head} N={pairs} seed={seed}"
                if name in found:
                    continue
                model, accuracy = train_recall(kind, pairs, d_head, seed)
                found[name] = round(accuracy, 4)
                if pairs == 16 and seed == 0 and d_head == 16:
                    WEIGHTS.mkdir(parents=True, exist_ok=True)
                    save_file(model.state_dict(), WEIGHTS / f"recall_{kind}.safetensors")
                path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                print(name, found[name], flush=True)


if __name__ == "__main__":
    main()
