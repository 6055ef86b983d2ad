"""The sigmoid formula of CLIP.

mistake: sigmoid_gelu
fails: a batch of sequences
"""


def feed_forward(x, w_in, b_in, w_out, b_out):
    hidden = x @ w_in + b_in
    hidden = hidden * torch.sigmoid(1.702 * hidden)
    return hidden @ w_out + b_out
