"""Adds the residual itself.

mistake: residual_inside
fails: a batch of sequences
"""


def feed_forward(x, w_in, b_in, w_out, b_out):
    hidden = F.gelu(x @ w_in + b_in)
    return x + hidden @ w_out + b_out
