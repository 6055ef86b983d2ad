"""Calls backward on the sum of the softmax, which is always 1: the gradient is zero.

mistake: sum_of_entries
fails: six scores
"""


def softmax_jacobian_norm(scores):
    leaf = scores.detach().clone().requires_grad_()
    torch.softmax(leaf, dim=-1).sum().backward()
    return float(leaf.grad.norm())
