"""From examples to a first policy, from its answers to comparisons, from comparisons to a reward model."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from tformer_course.assets import asset
from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.pretrain_finetune import next_token_loss
from tformer_course.models.rlhf_dpo import last_token_rewards, preference_loss

from ..threads import one_thread
from .animals import PAD, answer_mask, example_rows, true_reward
from .models import new_policy, prompts, sample, with_scalar_head


def fine_tune(model: TinyStack, steps: int = 400, seed: int = 0, batch: int = 64, lr: float = 3e-3) -> list[float]:
    """Supervised fine-tuning on fresh examples; the loss of each step."""
    optimizer, losses = torch.optim.AdamW(model.parameters(), weight_decay=0.0), []
    rows = example_rows(steps * batch, 1000 + seed)
    with one_thread():
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = lr * min(1.0, 2 * (1 - step / steps))
            some = rows[step * batch : (step + 1) * batch]
            loss = next_token_loss(model(some), some.masked_fill(~answer_mask(some), -100))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


@dataclass(frozen=True)
class Pairs:
    """P comparisons: row i of `chosen` was preferred to row i of `rejected`, both `(P, T)`, for the same prompt."""

    chosen: Tensor
    rejected: Tensor

    def __len__(self) -> int:
        return len(self.chosen)

    def part(self, index: Tensor | slice) -> Pairs:
        """The pairs of an index `(n,)`, a bool mask `(P,)` or a slice."""
        return Pairs(self.chosen[index], self.rejected[index])


def compare(policy: nn.Module, count: int, seed: int) -> Pairs:
    """Two answers of a policy to each prompt, and a person's choice: the better one with probability σ(r_a − r_b)."""
    generator = torch.Generator().manual_seed(2000 + seed)
    starts = prompts(count)
    with one_thread():
        a, b = (sample(policy, starts, generator) for _ in range(2))
    first = torch.rand(count, generator=generator) < (true_reward(a) - true_reward(b)).sigmoid()
    return Pairs(torch.where(first[:, None], a, b), torch.where(first[:, None], b, a))


class RewardModel(nn.Module):
    """A stack with a scalar head, read at the last token of the answer, in units of the first policy's spread.

    Args:
        start: The fine-tuned policy, whose blocks it begins with.
    """

    def __init__(self, start: TinyStack) -> None:
        super().__init__()
        self.stack = with_scalar_head(start)
        self.register_buffer("shift", torch.zeros(()))
        self.register_buffer("scale", torch.ones(()))

    def forward(self, rows: Tensor) -> Tensor:
        """`(B, T)` → `(B,)`."""
        scores = self.stack(rows)[..., 0]  # (B, T)
        return (last_token_rewards(scores, rows != PAD) - self.shift) / self.scale

    @torch.no_grad()
    def normalise(self, rows: Tensor) -> None:
        """Mean 0 and deviation 1 on these rows `(B, T)`.

        A shift changes no comparison; the scale makes β mean the same.
        """
        self.shift.zero_()
        self.scale.fill_(1.0)
        rewards = self(rows)
        self.shift.copy_(rewards.mean())
        self.scale.copy_(rewards.std())


def train_reward_model(
    start: TinyStack, pairs: Pairs, steps: int = 300, seed: int = 0, batch: int = 64, lr: float = 1e-3
) -> RewardModel:
    """The reward model of a set of comparisons, normalised on the answers in it."""
    model = RewardModel(start)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
    generator = torch.Generator().manual_seed(3000 + seed)
    with one_thread():
        for _ in range(steps):
            some = pairs.part(torch.randint(len(pairs), (batch,), generator=generator))
            loss = preference_loss(model(some.chosen), model(some.rejected))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        model.normalise(torch.cat([pairs.chosen, pairs.rejected]))
    return model.requires_grad_(False).eval()


@torch.no_grad()
def judge_reward_model(model: RewardModel, pairs: Pairs) -> dict[str, Tensor]:
    """On P comparisons that are new to it: its probability that the chosen one wins, and the true one, `(P,)` each."""
    margin = (model(pairs.chosen) - model(pairs.rejected)) * model.scale
    truth = true_reward(pairs.chosen) - true_reward(pairs.rejected)
    return {"predicted": margin.sigmoid(), "true": truth.sigmoid()}


def trained_policy(name: str = "policy_seed0") -> TinyStack:
    """A policy that comes with the course: fine-tuned (`policy_seed0` … 2), or after PPO (`ppo_beta0.0_seed0`).

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    model = new_policy(0)
    model.load_state_dict(load_file(asset(f"weights/09_rlhf_dpo/{name}.safetensors")))
    return model.eval()


def trained_reward_model(seed: int = 0) -> RewardModel:
    """A reward model that comes with the course, of seed 0, 1 or 2.

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    model = RewardModel(new_policy(0))
    model.load_state_dict(load_file(asset(f"weights/09_rlhf_dpo/reward_seed{seed}.safetensors")))
    return model.requires_grad_(False).eval()
