"""Chapter 10, reasoning from verifiable rewards: the reference implementations.

`rewards` says what a completion is worth and how success is counted, `objective` turns rewards of a group into a loss,
`sampling` draws the groups, `loop` puts them together.

Dimension key, the same letters in every chapter:
    P prompts, G completions per prompt, N sequences (P · G), T generation budget, V vocabulary.
In a mask of tokens True means "counts".
"""

from .loop import GrpoBatch, completion_log_probs, train_grpo
from .objective import group_advantages, grpo_loss, token_weights
from .rewards import pass_at_k, rule_reward
from .sampling import sample_group

__all__ = [
    "GrpoBatch",
    "completion_log_probs",
    "group_advantages",
    "grpo_loss",
    "pass_at_k",
    "rule_reward",
    "sample_group",
    "token_weights",
    "train_grpo",
]
