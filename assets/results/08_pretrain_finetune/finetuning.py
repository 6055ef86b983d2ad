"""Fine-tuning the pretrained models to answer: all weights, LoRA of five ranks, and all weights with replay.

    python assets/results/08_pretrain_finetune/finetuning.py

Starts from the three causal models of pretraining.py. 100 batches of 16 questions about half of the names; asked are
those names, the other half, and 256 unseen stories. "replay" reads 8 stories with each batch. Twenty-one runs of some
seconds on one core; each is written to finetuning.json as soon as it ends, and a run that is there is not repeated.
"""

from itertools import product
from pathlib import Path

import torch

from tformer_course.models.pretrain_finetune import add_lora, trainable_share
from tformer_course.training.pretrain_finetune import LORA_LAYERS, abilities, course_tokenizer, finetune, trained_model
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
STEPS, BATCH = 100, 16
METHODS = {  # rank, learning rate, stories per batch
    "all weights": (0, 1e-3, 0),
    "all weights, replay": (0, 1e-3, 8),
    **{f"LoRA, rank {rank}": (rank, 3e-3, 0) for rank in (1, 2, 4, 8, 16)},
}


def main() -> None:
    torch.set_num_threads(1)
    tokenizer = course_tokenizer()
    results = Runs(RESULTS, {"steps": STEPS, "batch": BATCH, "methods": METHODS})
    for seed, method in product(range(3), ("before", *METHODS)):
        name = f"{method} seed={seed}"
        if name in results:
            continue
        model, share = trained_model("causal", seed), 0.0
        if method != "before":
            rank, peak, replay = METHODS[method]
            torch.manual_seed(seed)
            if rank:
                add_lora(model, rank, 2 * rank, LORA_LAYERS)
            share = trainable_share(model)
            finetune(model, tokenizer, STEPS, peak=peak, seed=seed, batch=BATCH, replay=replay)
        measured = {key: round(value, 4) for key, value in abilities(model, tokenizer).items()}
        found = {"share": round(share, 5), **measured}
        results.keep(name, found)
        print(name, found, flush=True)


if __name__ == "__main__":
    main()
