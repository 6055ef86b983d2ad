"""SiLU on both factors.

mistake: activation_on_both
fails: a batch of sequences
"""


def swiglu(x, w_gate, w_up, w_down):
    gate = F.silu(x @ w_gate)
    up = F.silu(x @ w_up)
    return (gate * up) @ w_down
