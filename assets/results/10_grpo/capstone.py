"""The capstone's pipeline in full length: pretraining, SFT, preference and GRPO on one small model, three seeds.

    python assets/results/10_grpo/capstone.py

About two minutes per seed on one core. Weights and records of each stage lie in a folder of the system's temporary
files, so a run that was stopped goes on with the stage at which it stood; capstone.json is written after each seed.
"""

import sys
import tempfile
from functools import partial
from pathlib import Path

import torch
from tqdm import tqdm

from tformer_course.training.grpo import SETTINGS, run_pipeline
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")


def main() -> None:
    torch.set_num_threads(1)
    folder = Path(tempfile.gettempdir()) / "tformer_capstone"
    results = Runs(RESULTS, SETTINGS, by_name=True)
    for seed in [int(s) for s in sys.argv[1:]] or range(3):
        if f"seed={seed}" in results:
            continue
        _, records = run_pipeline(folder, seed, progress=partial(tqdm, leave=False))
        results.keep(f"seed={seed}", records)
        print(seed, {stage: found["accuracy"] for stage, found in records.items()}, flush=True)


if __name__ == "__main__":
    main()
