"""Chapter 07, Mamba and mixtures of experts: the reference implementations.

Dimension key, the same letters in every chapter:
    B batch, T length, C channels, N size of the state of one channel, E experts, k experts per token, d width.
"…" stands for any number of leading dimensions.
"""

from .block import MambaBlock, TimeInvariantBlock
from .counting import moe_parameters
from .experts import (
    expert_capacity,
    load_balancing_loss,
    moe_forward,
    moe_with_capacity,
    route_top_k,
    router_z_loss,
    update_expert_bias,
)
from .scan import associative_scan, selective_matrix, selective_scan, selective_scan_parallel, ssd_matrix
from .ssm import discretize, hippo_legs, legs_memory, s4d_real, ssm_convolution, ssm_recurrence

__all__ = [
    "MambaBlock",
    "TimeInvariantBlock",
    "associative_scan",
    "discretize",
    "expert_capacity",
    "hippo_legs",
    "legs_memory",
    "load_balancing_loss",
    "moe_forward",
    "moe_parameters",
    "moe_with_capacity",
    "route_top_k",
    "router_z_loss",
    "s4d_real",
    "selective_matrix",
    "selective_scan",
    "selective_scan_parallel",
    "ssd_matrix",
    "ssm_convolution",
    "ssm_recurrence",
    "update_expert_bias",
]
