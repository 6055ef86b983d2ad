"""The mean square without keepdim.

mistake: axis_lost
fails: a batch of sequences
"""


def rms_norm(x, weight, eps=1e-6):
    rms = torch.sqrt((x**2).mean(dim=-1) + eps)
    return x / rms * weight
