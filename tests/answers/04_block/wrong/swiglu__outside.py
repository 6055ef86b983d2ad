"""SiLU on the product.

mistake: activation_on_the_product
fails: a batch of sequences
"""


def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    up = x @ w_up
    return F.silu(gate * up) @ w_down
