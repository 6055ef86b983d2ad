"""One small model, trained on the next token or on masked tokens: three seeds each, the same stories, the same steps.

    python assets/results/08_pretrain_finetune/pretraining.py

Trains the tokenizer first (on 4,000 stories). Model: chapter 05's stack, 2 blocks, 64 wide, 4 heads. AdamW, 400 batches
of 32 fresh stories. Every 50 steps 256 unseen stories are asked for a hidden colour: the first one, which only what
follows tells, and the second, told before. Six runs of about half a minute on one core; each is written to
pretraining.json as soon as it ends, and a run that is there is not repeated. The weights of the causal models (float16)
are written to assets/weights/08_pretrain_finetune/.
"""

from itertools import product
from pathlib import Path

import torch
from safetensors.torch import save_file

from tformer_course.training.pretrain_finetune import (
    VOCAB,
    colour_guesses,
    course_tokenizer,
    held_out_loss,
    loss_floor,
    pretrain,
    small_model,
    story_texts,
    train_tokenizer,
)
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
WEIGHTS = Path(__file__).parents[2] / "weights" / "08_pretrain_finetune"
STEPS, BATCH = 400, 32


def train(objective: str, seed: int, tokenizer) -> dict:
    model = small_model(objective, seed)
    looks = {"first": [], "second": [], "held_out": []}

    def look(model) -> None:
        guesses = colour_guesses(model, tokenizer)
        looks["first"].append(round(guesses["the first"], 3))
        looks["second"].append(round(guesses["the second"], 3))
        if objective == "causal":
            looks["held_out"].append(round(held_out_loss(model, tokenizer), 4))

    history = pretrain(model, tokenizer, STEPS, seed=seed, batch=BATCH, look=look)
    if objective == "causal":
        save_file({n: w.half() for n, w in model.state_dict().items()}, WEIGHTS / f"causal_seed{seed}.safetensors")
    curve = torch.tensor(history.losses).view(-1, 10).mean(dim=1).tolist()
    return {"steps": history.steps, **looks, "loss": [round(value, 3) for value in curve]}


def main() -> None:
    torch.set_num_threads(1)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    if not (WEIGHTS / "tokenizer.json").exists():
        train_tokenizer(story_texts(4000, seed=1)).save(str(WEIGHTS / "tokenizer.json"), pretty=False)
    tokenizer = course_tokenizer()
    parameters = sum(p.numel() for p in small_model("causal", 0).parameters())
    floor = round(loss_floor(tokenizer), 4)
    setup = {"steps": STEPS, "batch": BATCH, "vocab": VOCAB, "parameters": parameters, "floor": floor}
    results = Runs(RESULTS, setup)
    for seed, objective in product(range(3), ("causal", "masked")):
        name = f"{objective} seed={seed}"
        if name not in results:
            found = train(objective, seed, tokenizer)
            results.keep(name, found)
            print(name, found["second"][-1], flush=True)


if __name__ == "__main__":
    main()
