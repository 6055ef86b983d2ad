"""The two ways from comparisons to a policy: PPO on a reward model, and DPO."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.rlhf_dpo import dpo_loss, gae, ppo_loss, sequence_log_probs, shaped_rewards, win_rate

from ..threads import one_thread
from .animals import THANKS, answer_mask, true_reward
from .models import frozen_copy, lengths, prompts, sample, token_log_probs, with_scalar_head
from .rewards import Pairs, RewardModel


@dataclass
class History:
    """What a run leaves: one number per look for each name."""

    steps: list[int] = field(default_factory=list)
    looks: dict[str, list[float]] = field(default_factory=dict)

    def add(self, step: int, **numbers: float) -> None:
        """Write one look down."""
        self.steps.append(step)
        for name, number in numbers.items():
            self.looks.setdefault(name, []).append(number)


@torch.no_grad()
def look_at(
    policy: nn.Module, reference: nn.Module, reward_model: RewardModel | None, count: int = 300, seed: int = 7
) -> dict[str, float]:
    """Means over fresh answers: the proxy, the true reward, KL to the reference, length, wins over the reference."""
    generator = torch.Generator().manual_seed(seed)
    starts = prompts(count)
    rows, others = sample(policy, starts, generator), sample(reference, starts, generator)
    mask = answer_mask(rows)[:, 1:]
    ratio = (token_log_probs(policy, rows) - token_log_probs(reference, rows)).masked_fill(~mask, 0.0).sum(-1)
    found = {
        "true": true_reward(rows).mean().item(),
        "kl": ratio.mean().item(),
        "length": lengths(rows).double().mean().item(),
        "wins": win_rate(true_reward(rows), true_reward(others)),
        "thanks": (rows == THANKS).sum(-1).double().mean().item(),
    }
    if reward_model is not None:
        found["proxy"] = reward_model(rows).mean().item()
    return found


def entropy_of(logits: Tensor) -> Tensor:
    """−Σ p log p over the last axis, in nats: `(…, V)` → `(…)`."""
    log_p = logits.log_softmax(-1)
    return -(log_p.exp() * log_p).sum(-1)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    """Mean over what counts, a scalar; 0 where nothing does. x and the bool mask have one shape."""
    return x.masked_fill(~mask, 0.0).sum() / mask.sum().clamp(min=1)


def train_ppo(
    policy: TinyStack,
    reward_model: RewardModel,
    beta: float,
    steps: int = 200,
    *,
    seed: int = 0,
    batch: int = 64,
    epochs: int = 2,
    lr: float = 1e-3,
    lam: float = 0.95,
    clip: float = 0.2,
    value_weight: float = 0.5,
    entropy_weight: float = 0.0,
    look_every: int = 10,
    progress: Callable[[Iterator[int]], Iterator[int]] = iter,
) -> History:
    """RLHF's third step; the policy is changed in place.

    Args:
        policy: The fine-tuned policy; a frozen copy of it becomes the reference, another the start of the values.
        reward_model: The proxy.
        beta: Price of a nat of KL, in units of the proxy.
        steps, batch, epochs: Rounds of sampling, answers in each, passes over them.
        lr, lam, clip, value_weight, entropy_weight: Of PPO.
        look_every: Rounds between looks at fresh answers.
        progress: Wraps the rounds, for example tqdm.
    """
    reference, values = frozen_copy(policy), with_scalar_head(policy)
    optimizer = torch.optim.Adam([*policy.parameters(), *values.parameters()], lr=lr)
    generator, history = torch.Generator().manual_seed(4000 + seed), History()
    history.add(0, **look_at(policy, reference, reward_model))
    with one_thread():
        for step in progress(range(1, steps + 1)):
            rows = sample(policy, prompts(batch), generator)  # 1. answers of today's policy
            mask = answer_mask(rows)[:, 1:]  # (B, T−1), as all below
            with torch.no_grad():  # 2. what each token was worth
                old, ref = token_log_probs(policy, rows), token_log_probs(reference, rows)
                value = values(rows)[:, :-1, 0]  # read before the token is chosen
                rewards = shaped_rewards(reward_model(rows), old, ref, beta, mask)
                advantages, returns = gae(rewards, value, mask, 1.0, lam)
                centre = masked_mean(advantages, mask)
                spread = masked_mean((advantages - centre).square(), mask).sqrt()
                advantages = (advantages - centre) / (spread + 1e-6)
            for _ in range(epochs):  # 3. a few steps on the same answers
                logits = policy(rows)[:, :-1]
                log_p = logits.log_softmax(-1).gather(-1, rows[:, 1:].unsqueeze(-1)).squeeze(-1)
                loss = ppo_loss(log_p, old, advantages, mask, clip)
                loss = loss + value_weight * masked_mean((values(rows)[:, :-1, 0] - returns).square(), mask)
                loss = loss - entropy_weight * masked_mean(entropy_of(logits), mask)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
                nn.utils.clip_grad_norm_(values.parameters(), 1.0)
                optimizer.step()
            if step % look_every == 0 or step == steps:
                history.add(step, **look_at(policy, reference, reward_model))
    return history


def train_dpo(
    policy: TinyStack,
    pairs: Pairs,
    beta: float,
    steps: int = 300,
    *,
    seed: int = 0,
    batch: int = 64,
    lr: float = 5e-4,
    look_every: int = 20,
    reward_model: RewardModel | None = None,
    progress: Callable[[Iterator[int]], Iterator[int]] = iter,
) -> History:
    """DPO on comparisons; the policy is changed in place, a frozen copy is the reference.

    A look also says the mean log-probability of the chosen and the rejected answers of (up to) 500 pairs.
    """
    reference = frozen_copy(policy)
    optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
    generator, history = torch.Generator().manual_seed(5000 + seed), History()
    shown = pairs.part(slice(0, 500))

    def log_prob(model: nn.Module, rows: Tensor) -> Tensor:
        return sequence_log_probs(model(rows), rows, answer_mask(rows))

    @torch.no_grad()
    def look(step: int) -> None:
        numbers = look_at(policy, reference, reward_model)
        numbers["chosen"] = log_prob(policy, shown.chosen).mean().item()
        numbers["rejected"] = log_prob(policy, shown.rejected).mean().item()
        history.add(step, **numbers)

    look(0)
    with one_thread():
        with torch.no_grad():
            ref_chosen, ref_rejected = log_prob(reference, pairs.chosen), log_prob(reference, pairs.rejected)
        for step in progress(range(1, steps + 1)):
            i = torch.randint(len(pairs), (batch,), generator=generator)
            good, bad = log_prob(policy, pairs.chosen[i]), log_prob(policy, pairs.rejected[i])
            loss, _, _ = dpo_loss(good, bad, ref_chosen[i], ref_rejected[i], beta)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
            if step % look_every == 0 or step == steps:
                look(step)
    return history
