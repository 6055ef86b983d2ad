"""Checks of chapter 09: what the visible test cells look at, and the mistakes that they can name."""

from .advantages import GAE
from .choosing import BEST_OF_N, WIN_RATE
from .direct import DPO_LOSS
from .estimates import KL_ESTIMATES
from .preferences import LAST_TOKEN_REWARDS, PREFERENCE_LOSS
from .proximal import PPO_LOSS
from .sequences import SEQUENCE_LOG_PROBS
from .shaping import SHAPED_REWARDS

EXERCISES = (
    SEQUENCE_LOG_PROBS,
    PREFERENCE_LOSS,
    LAST_TOKEN_REWARDS,
    BEST_OF_N,
    WIN_RATE,
    KL_ESTIMATES,
    SHAPED_REWARDS,
    GAE,
    PPO_LOSS,
    DPO_LOSS,
)

__all__ = ["EXERCISES"]
