"""The article's comment, with shapes that fit: (x W_gate) · sigmoid(x W_up).

mistake: sigmoid_gate_swapped
fails: a batch of sequences
"""


def swiglu(x, w_gate, w_up, w_down):
    gate = torch.sigmoid(x @ w_up)
    up = x @ w_gate
    return (gate * up) @ w_down
