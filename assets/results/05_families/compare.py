"""BERT, GPT and T5 in small, trained on the same stories and asked the same questions, three seeds.

    python assets/results/05_families/compare.py

Stories and questions: tformer_course/training/families.py. BERT and GPT have 2 blocks, 64 wide, 4 heads; T5 has 2
encoder and 2 decoder blocks. Batches of 64 stories, 400 of them for BERT and GPT and 1,500 for T5, whose spans and
lengths vary and who learns more slowly; AdamW with warm-up and a cosine. Nine runs, of about 10 seconds and for T5 of 2
minutes on one core; each is written to compare.json, and its weights to assets/weights/05_families, as soon as it ends,
and a run that is there is not repeated.
"""

import json
from itertools import product
from pathlib import Path

import torch
from safetensors.torch import save_file

from tformer_course.models.families import KINDS
from tformer_course.training.families import abilities, train_tiny

RESULTS = Path(__file__).with_suffix(".json")
STEPS = {"bert": 400, "gpt": 400, "t5": 1500}
WEIGHTS = Path(__file__).parents[2] / "weights" / "05_families"


def main() -> None:
    torch.set_num_threads(1)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for kind, seed in product(KINDS, range(3)):
        file = WEIGHTS / f"{kind}_seed{seed}.safetensors"
        if str(seed) in results.get(kind, {}) and file.exists():
            continue
        losses: list[float] = []
        model = train_tiny(kind, seed, STEPS[kind], look=lambda step, loss, losses=losses: losses.append(loss))
        halves = {name: weight.half().contiguous() for name, weight in model.state_dict().items()}
        model.load_state_dict({name: weight.float() for name, weight in halves.items()})  # what is stored is measured
        found = {name: round(share, 4) for name, share in abilities(kind, model).items()}
        smooth = [round(sum(losses[i : i + 20]) / 20, 4) for i in range(0, len(losses), 20)]
        save_file(halves, file)
        results.setdefault(kind, {})[str(seed)] = {**found, "loss": smooth}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        print(kind, seed, found, "loss", smooth[-1], flush=True)


if __name__ == "__main__":
    main()
