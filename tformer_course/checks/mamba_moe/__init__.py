"""Checks of chapter 07, Mamba and experts: what the visible test cells look at, and the mistakes that they can name."""

from .balance import LOAD_BALANCING_LOSS, UPDATE_EXPERT_BIAS
from .block import MAMBA_BLOCK
from .counting import MOE_PARAMETERS
from .discretize import DISCRETIZE
from .routing import MOE_FORWARD, ROUTE_TOP_K
from .scans import ASSOCIATIVE_SCAN, SELECTIVE_SCAN
from .ssd import SSD_MATRIX
from .ssm import SSM_CONVOLUTION, SSM_RECURRENCE

EXERCISES = (
    DISCRETIZE,
    SSM_RECURRENCE,
    SSM_CONVOLUTION,
    SELECTIVE_SCAN,
    ASSOCIATIVE_SCAN,
    MAMBA_BLOCK,
    SSD_MATRIX,
    ROUTE_TOP_K,
    MOE_FORWARD,
    LOAD_BALANCING_LOSS,
    UPDATE_EXPERT_BIAS,
    MOE_PARAMETERS,
)

__all__ = ["EXERCISES"]
