"""Chapter 09, learning from preferences: the reference implementations.

`preferences` holds what comparisons teach directly: the reward model's loss, DPO's loss, the choice of the best sample;
`policy` what reinforcement learning adds: estimates of the KL, rewards per token, advantages, PPO's loss.

Dimension key, the same letters in every chapter:
    B batch, T positions, V vocabulary.
In a mask of tokens `(B, T)` True means "counts"; the True of a row stand side by side.
"""

from .policy import gae, kl_estimates, ppo_loss, shaped_rewards
from .preferences import (
    best_of_n,
    dpo_loss,
    last_token_rewards,
    preference_loss,
    sequence_log_probs,
    win_rate,
)

__all__ = [
    "best_of_n",
    "dpo_loss",
    "gae",
    "kl_estimates",
    "last_token_rewards",
    "ppo_loss",
    "preference_loss",
    "sequence_log_probs",
    "shaped_rewards",
    "win_rate",
]
