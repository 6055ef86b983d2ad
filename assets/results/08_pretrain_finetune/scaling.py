"""Loss against size: five models from 8 to 40 wide, three seeds each, the same number of stories for all.

    python assets/results/08_pretrain_finetune/scaling.py

Chapter 05's stack with 2 blocks; AdamW, 250 batches of 32 fresh stories; then the next-token loss on 512 unseen ones.
Needs the tokenizer that pretraining.py makes. Fifteen runs of about ten seconds on one core; each is written to
scaling.json as soon as it ends, and a run that is there is not repeated.
"""

from itertools import product
from pathlib import Path

import torch

from tformer_course.training.pretrain_finetune import (
    course_tokenizer,
    held_out_loss,
    loss_floor,
    pretrain,
    small_model,
)
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
STEPS, BATCH, WIDTHS = 250, 32, (8, 12, 18, 27, 40)
HEADS = {8: 2, 12: 3, 18: 3, 27: 3, 40: 4}


def main() -> None:
    torch.set_num_threads(1)
    tokenizer = course_tokenizer()
    results = Runs(RESULTS, {"steps": STEPS, "batch": BATCH, "floor": round(loss_floor(tokenizer), 4)})
    for seed, width in product(range(3), WIDTHS):
        name = f"width={width} seed={seed}"
        if name not in results:
            model = small_model("causal", seed, d_model=width, num_heads=HEADS[width])
            pretrain(model, tokenizer, STEPS, seed=seed, batch=BATCH, peak=6e-3)
            all_parameters = sum(p.numel() for p in model.parameters())
            in_blocks = sum(p.numel() for p in model.blocks.parameters())
            loss = round(held_out_loss(model, tokenizer, 512), 4)
            found = {"parameters": all_parameters, "in blocks": in_blocks, "loss": loss}
            results.keep(name, found)
            print(name, found, flush=True)


if __name__ == "__main__":
    main()
