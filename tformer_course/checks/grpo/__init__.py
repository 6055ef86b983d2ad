"""Checks of chapter 10: what the visible test cells look at, and the mistakes that they can name."""

from .advantages import GROUP_ADVANTAGES
from .counting import PASS_AT_K
from .loop import TRAIN_GRPO
from .loss import GRPO_LOSS
from .rewards import RULE_REWARD
from .sampling import SAMPLE_GROUP
from .weights import TOKEN_WEIGHTS

EXERCISES = (RULE_REWARD, GROUP_ADVANTAGES, GRPO_LOSS, SAMPLE_GROUP, TOKEN_WEIGHTS, PASS_AT_K, TRAIN_GRPO)

__all__ = ["EXERCISES"]
