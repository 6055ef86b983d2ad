"""GELU against SwiGLU in the same small model: at equal parameters and at equal width, three seeds.

    python assets/results/04_block/feed_forward.py

Task: a random table of 32 × 32 results. A sequence holds 8 facts "a b result"; the loss counts the results. A table
cannot be reasoned out, only stored, and the feed-forward networks are where it is stored. Model: 2 blocks, 48 wide,
4 heads, causal. Adam with warm-up, 400 batches of 16. After training the cross-entropy over all 1024 facts is measured.
Nine runs of about 5 seconds on one core; each is written to feed_forward.json as soon as it ends, and a run that is
there is not repeated.
"""

from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from tformer_course.models import TransformerBlock, causal_mask, swiglu, swiglu_hidden
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
LAYERS, D_MODEL, HEADS, SYMBOLS, FACTS, BATCH, STEPS, WARMUP, RATE = 2, 48, 4, 32, 8, 16, 400, 50, 3e-3
LENGTH = 3 * FACTS


class SwiGLU(nn.Module):
    """Three matrices without biases, drawn as nn.Linear draws its own."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.gate, self.up = (nn.Parameter(nn.Linear(d_model, d_ff).weight.detach().T.clone()) for _ in range(2))
        self.down = nn.Parameter(nn.Linear(d_ff, d_model).weight.detach().T.clone())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return swiglu(x, self.gate, self.up, self.down)


VARIANTS = {
    "GELU, width 4d": None,
    "SwiGLU, width 8d/3": swiglu_hidden(D_MODEL),
    "SwiGLU, width 4d": 4 * D_MODEL,
}


class Memory(nn.Module):
    """A small causal language model whose feed-forward networks can be exchanged."""

    def __init__(self, hidden: int | None) -> None:
        super().__init__()
        self.token = nn.Embedding(SYMBOLS, D_MODEL)
        self.position = nn.Embedding(LENGTH, D_MODEL)
        self.blocks = nn.ModuleList(TransformerBlock(D_MODEL, HEADS, 4 * D_MODEL) for _ in range(LAYERS))
        if hidden:
            for block in self.blocks:
                block.ffn = SwiGLU(D_MODEL, hidden)
        self.final = nn.LayerNorm(D_MODEL)
        self.head = nn.Linear(D_MODEL, SYMBOLS)
        self.register_buffer("mask", causal_mask(LENGTH))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.token(tokens) + self.position.weight[: tokens.shape[1]]  # (B, T, C)
        for block in self.blocks:
            x = block(x, self.mask[: tokens.shape[1], : tokens.shape[1]])
        return self.head(self.final(x))  # (B, T, V)


def sequences(pairs: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """`(B, FACTS, 2)` pairs → `(B, 3·FACTS)` tokens."""
    return torch.cat([pairs, table[pairs[..., 0], pairs[..., 1]].unsqueeze(-1)], dim=-1).flatten(1)


def loss_of(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    logits = model(tokens[:, :-1])[:, 1::3]  # where the second operand is read, the result is next
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 2::3].flatten())


def train(hidden: int | None, seed: int) -> dict:
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(1000 + seed)  # the same table and batches for every variant
    table = torch.randint(SYMBOLS, (SYMBOLS, SYMBOLS), generator=generator)
    model = Memory(hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    losses = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARMUP)
        loss = loss_of(model, sequences(torch.randint(SYMBOLS, (BATCH, FACTS, 2), generator=generator), table))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    pairs = torch.cartesian_prod(torch.arange(SYMBOLS), torch.arange(SYMBOLS))
    order = torch.randperm(len(pairs), generator=generator)
    with torch.no_grad():
        final = loss_of(model, sequences(pairs[order].view(-1, FACTS, 2), table)).item()
    curve = torch.tensor(losses).view(-1, 20).mean(dim=1).tolist()
    parameters = sum(p.numel() for p in model.blocks[0].ffn.parameters())
    return {"loss": [round(c, 4) for c in curve], "final": round(final, 4), "ffn_parameters": parameters}


def main() -> None:
    torch.set_num_threads(1)
    setup = {"layers": LAYERS, "d_model": D_MODEL, "facts": SYMBOLS**2, "steps": STEPS, "loss_every": 20}
    results = Runs(RESULTS, setup)
    for seed, (variant, hidden) in product(range(3), VARIANTS.items()):
        name = f"{variant} seed={seed}"
        if name not in results:
            found = train(hidden, seed)
            results.keep(name, found)
            print(name, found["final"], flush=True)


if __name__ == "__main__":
    main()
