"""SiLU by exp(g) / (1 + exp(g)): inf / inf for large g.

mistake: unnamed
fails: large entries
"""


def swiglu(x, w_gate, w_up, w_down):
    gate = (x @ w_gate) * (x @ w_gate).exp() / (1 + (x @ w_gate).exp())
    up = x @ w_up
    return (gate * up) @ w_down
