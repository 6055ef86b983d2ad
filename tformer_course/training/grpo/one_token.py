"""A task that takes seconds: (a + b) mod 10, answered by one token."""

from __future__ import annotations

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from tformer_course.assets import asset
from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.grpo import GrpoBatch

PLUS, EQUALS, END = 10, 11, 12
VOCAB = 13
PAIRS = torch.cartesian_prod(torch.arange(10), torch.arange(10))  # (100, 2)
ANSWERS = PAIRS.sum(dim=1) % 10


def one_token_model(seed: int) -> TinyStack:
    """One layer, 32 wide: 13,000 parameters."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return TinyStack(VOCAB, causal=True, d_model=32, num_heads=2, num_layers=1, max_len=6)


def one_token_prompts(pairs: Tensor = PAIRS) -> Tensor:
    """`(P, 4)`: a + b =."""
    marks = torch.tensor([PLUS, EQUALS]).expand(len(pairs), 2)
    return torch.stack([pairs[:, 0], marks[:, 0], pairs[:, 1], marks[:, 1]], dim=1)


def one_token_batch(generator: torch.Generator | None, prompts: int = 25) -> GrpoBatch:
    """A batch for `train_grpo`: reward 1 for the right digit."""
    chosen = torch.randint(len(PAIRS), (prompts,), generator=generator)

    def reward(completions: Tensor) -> Tensor:
        return (completions[..., 0] == ANSWERS[chosen].unsqueeze(-1)).float()

    return GrpoBatch(one_token_prompts(PAIRS[chosen]), reward, 1, END)


@torch.no_grad()
def one_token_accuracy(model: nn.Module) -> float:
    """Share of the hundred sums whose likeliest answer is right."""
    return (model(one_token_prompts())[:, -1].argmax(dim=-1) == ANSWERS).double().mean().item()


def half_right(seed: int, until: float = 0.45, most: int = 2000) -> TinyStack:
    """A model fine-tuned on right answers until `until` of them come out right."""
    model, generator = one_token_model(seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.0)
    for _ in range(most):
        chosen = torch.randint(len(PAIRS), (64,), generator=generator)
        logits = model(one_token_prompts(PAIRS[chosen]))[:, -1]
        loss = nn.functional.cross_entropy(logits, ANSWERS[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if one_token_accuracy(model) >= until:
            break
    return model


def one_token_sft() -> TinyStack:
    """The model of `half_right(0)`, whose weights come with the course.

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    model = one_token_model(0)
    weights = load_file(asset("weights/10_grpo/one_token_sft.safetensors"))
    model.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return model
