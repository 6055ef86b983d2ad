"""What reinforcement learning from preferences adds: the KL to a reference, rewards per token, advantages, PPO."""

from __future__ import annotations

import torch
from torch import Tensor


def kl_estimates(log_p: Tensor, log_q: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Three estimates of KL(p‖q) from the log-probabilities of samples that were drawn from p.

    Args:
        log_p, log_q: Log-probabilities of the same samples under p and q, of one shape.

    Returns:
        `(k1, k2, k3)`, of that shape: log p − log q; its square by 2; q/p − 1 − log(q/p). The means of k1 and k3 are
        KL(p‖q); k2 is off by the third order. k2 and k3 are never negative.

    Source:
        Schulman 2020, *Approximating KL Divergence*.

    >>> [round(float(k), 4) for k in kl_estimates(torch.tensor(-1.0), torch.tensor(-1.5))]
    [0.5, 0.125, 0.1065]
    """
    k1 = log_p - log_q
    # expm1: exp(−k1) − 1 loses all digits where p and q are nearly equal, and k3 would become negative
    return k1, k1.square() / 2, torch.expm1(-k1) + k1


def shaped_rewards(score: Tensor, log_p: Tensor, log_ref: Tensor, beta: float, mask: Tensor) -> Tensor:
    """Rewards per token: the price of leaving the reference at each, the answer's score at the last.

    Args:
        score: `(B,)`, reward of the whole answer.
        log_p, log_ref: `(B, T)`, log-probabilities of the tokens under the sampling policy and the reference.
        beta: Price of one nat.
        mask: `(B, T)` bool, True for the tokens of the answer.

    Returns:
        `(B, T)`; 0 where mask is False.

    Source:
        Ziegler et al. 2019 (arXiv 1909.08593), section 2; Ouyang et al. 2022 (arXiv 2203.02155), equation 2.

    >>> ones = torch.ones(1, 3)
    >>> shaped_rewards(torch.tensor([5.0]), -1 * ones, -2 * ones, 0.5, torch.tensor([[True, True, False]]))
    tensor([[-0.5000,  4.5000,  0.0000]])
    """
    after = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], dim=1)  # (B, T): whether a real token follows
    price = (-beta * (log_p - log_ref)).masked_fill(~mask, 0.0)  # (B, T)
    return price + torch.where(mask & ~after, score.unsqueeze(-1), torch.zeros_like(price))


def gae(rewards: Tensor, values: Tensor, mask: Tensor, gamma: float, lam: float) -> tuple[Tensor, Tensor]:
    """Generalised advantage estimation, backwards over the tokens of each answer.

    δ_t = r_t + γ V_{t+1} − V_t and A_t = δ_t + γ λ A_{t+1}; V and A are 0 after the last real token.

    Args:
        rewards, values: `(B, T)`.
        mask: `(B, T)` bool, True for real tokens.
        gamma: Discount γ.
        lam: λ: 0 trusts the values (one step), 1 the rewards (the whole rest).

    Returns:
        `(advantages, returns)`, both `(B, T)`, 0 where mask is False; returns = advantages + values: what V should be.

    Source:
        Schulman et al. 2015 (arXiv 1506.02438), equation 16.

    >>> real = torch.tensor([[True, True]])
    >>> gae(torch.tensor([[0.0, 1.0]]), torch.tensor([[0.5, 0.25]]), real, 1.0, 1.0)
    (tensor([[0.5000, 0.7500]]), tensor([[1., 1.]]))
    """
    rewards, values = rewards.masked_fill(~mask, 0.0), values.masked_fill(~mask, 0.0)
    advantages = torch.zeros_like(rewards)
    value_after = advantage = torch.zeros_like(rewards[:, 0])  # (B,)
    for t in reversed(range(rewards.shape[1])):
        delta = rewards[:, t] + gamma * value_after - values[:, t]
        advantage = torch.where(mask[:, t], delta + gamma * lam * advantage, 0.0)
        value_after = values[:, t]
        advantages[:, t] = advantage
    return advantages, advantages + values


def ppo_loss(log_p: Tensor, log_p_old: Tensor, advantages: Tensor, mask: Tensor, clip: float = 0.2) -> Tensor:
    """PPO's clipped objective, negated: the mean over the real tokens.

    Args:
        log_p: `(B, T)`, under the policy that is trained.
        log_p_old: `(B, T)`, under the policy that sampled; a constant.
        advantages: `(B, T)`, constants.
        mask: `(B, T)` bool, True for the tokens that count.
        clip: ε: outside 1 ± ε a ratio earns nothing more.

    Returns:
        Scalar; 0 with a zero gradient where nothing counts.

    Source:
        Schulman et al. 2017 (PPO, arXiv 1707.06347), equation 7.

    >>> one = torch.ones(1, 1)
    >>> ppo_loss(torch.log(1.5 * one), 0 * one, one, one.bool())  # the ratio 1.5 is cut to 1.2
    tensor(-1.2000)
    """
    ratio = (log_p - log_p_old.detach()).masked_fill(~mask, 0.0).exp()  # (B, T); masked first: exp must not overflow
    gains = advantages.detach().masked_fill(~mask, 0.0)
    objective = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)  # (B, T)
    return -objective.sum() / mask.sum().clamp(min=1)
