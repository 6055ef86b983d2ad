"""A tensor also for a float.

mistake: always_a_tensor
fails: a float stays a float
"""


def perplexity(loss):
    return torch.exp(torch.as_tensor(loss))
