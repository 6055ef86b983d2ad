"""SiLU.

mistake: silu
fails: a batch of sequences
"""


def feed_forward(x, w_in, b_in, w_out, b_out):
    hidden = F.silu(x @ w_in + b_in)
    return hidden @ w_out + b_out
