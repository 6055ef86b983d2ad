"""Gate and up swapped.

mistake: gate_and_up_swapped
fails: a batch of sequences
"""


def swiglu(x, w_gate, w_up, w_down):
    gate = F.silu(x @ w_up)
    up = x @ w_gate
    return (gate * up) @ w_down
