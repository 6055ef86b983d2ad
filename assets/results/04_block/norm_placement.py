"""Pre-LN against Post-LN: loss and gradient norms over training, with and without warm-up, three seeds.

    python assets/results/04_block/norm_placement.py

Task: 8 random symbols, a separator, and the same 8 symbols again; the loss counts the second half. Model: 6 blocks,
32 wide, 4 heads, causal. Adam, batches of 16, 300 steps, for two learning rates. Twenty-four runs of about 9 seconds
on one core. Each run is written to norm_placement.json as soon as it ends, and a run that is there is not repeated.
"""

from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from tformer_course.models import TransformerBlock, causal_mask, gradient_norms
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
LAYERS, D_MODEL, HEADS, SYMBOLS, LENGTH, BATCH, STEPS, WARMUP = 6, 32, 4, 10, 8, 16, 300, 100
LOOK = (0, 10, 30, 100, 299)  # steps at which the gradient of each block is measured
EVERY = 10  # the loss is kept as the mean over this many steps


class Copier(nn.Module):
    """A small causal language model; Post-LN needs no final norm, as its stream is normalised already."""

    def __init__(self, norm: str) -> None:
        super().__init__()
        self.token = nn.Embedding(SYMBOLS + 1, D_MODEL)
        self.position = nn.Embedding(2 * LENGTH, D_MODEL)
        for table in (self.token, self.position):
            nn.init.normal_(table.weight, std=0.02)
        self.blocks = nn.ModuleList(TransformerBlock(D_MODEL, HEADS, 4 * D_MODEL, norm=norm) for _ in range(LAYERS))
        self.final = nn.LayerNorm(D_MODEL) if norm == "pre" else nn.Identity()
        self.head = nn.Linear(D_MODEL, SYMBOLS + 1)
        self.register_buffer("mask", causal_mask(2 * LENGTH))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.token(tokens) + self.position.weight  # (B, T, C)
        for block in self.blocks:
            x = block(x, self.mask)
        return self.head(self.final(x))  # (B, T, V)


def batch(generator: torch.Generator) -> torch.Tensor:
    symbols = torch.randint(1, SYMBOLS + 1, (BATCH, LENGTH), generator=generator)
    return torch.cat([symbols, torch.zeros(BATCH, 1, dtype=torch.long), symbols], dim=1)  # (B, 2·LENGTH + 1)


def train(norm: str, learning_rate: float, warmup: int, seed: int) -> dict:
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(1000 + seed)
    model = Copier(norm)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    losses, gradients = [], {}
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * (min(1.0, (step + 1) / warmup) if warmup else 1.0)
        tokens = batch(generator)
        logits = model(tokens[:, :-1])[:, LENGTH:]
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, LENGTH + 1 :].flatten())
        if step in LOOK:
            gradients[str(step)] = [float(f"{norm_:.4g}") for norm_ in gradient_norms(model.blocks, loss)]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    means = torch.tensor(losses).view(-1, EVERY).mean(dim=1).tolist()
    return {"loss": [round(m, 4) for m in means], "gradient_norms": gradients}


def main() -> None:
    torch.set_num_threads(1)
    setup = {"layers": LAYERS, "d_model": D_MODEL, "steps": STEPS, "warmup": WARMUP, "loss_every": EVERY}
    results = Runs(RESULTS, setup)
    for seed, learning_rate, norm, warmup in product(range(3), (3e-3, 3e-4), ("pre", "post"), (0, WARMUP)):
        name = f"{norm} lr={learning_rate:g} warmup={warmup} seed={seed}"
        if name not in results:
            found = train(norm, learning_rate, warmup, seed)
            results.keep(name, found)
            print(name, found["loss"][-1], flush=True)


if __name__ == "__main__":
    main()
