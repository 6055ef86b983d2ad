"""Forgets b_in.

mistake: no_first_bias
fails: a batch of sequences
"""


def feed_forward(x, w_in, b_in, w_out, b_out):
    hidden = F.gelu(x @ w_in)
    return hidden @ w_out + b_out
