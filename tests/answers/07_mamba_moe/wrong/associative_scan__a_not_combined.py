"""Only b is combined.

mistake: a_not_combined
fails: eight positions
"""


def associative_scan(a, b):
    reach = 1
    while reach < a.shape[1]:
        a_old, b_old = a[:, :-reach], b[:, :-reach]
        a_new, b_new = a[:, reach:], b[:, reach:]
        b = torch.cat([b[:, :reach], a_new * b_old + b_new], dim=1)
        reach = 2 * reach
    return b
