"""The later step is taken for the earlier one.

mistake: combination_order
fails: eight positions
"""


def associative_scan(a, b):
    reach = 1
    while reach < a.shape[1]:
        a_old, b_old = a[:, :-reach], b[:, :-reach]
        a_new, b_new = a[:, reach:], b[:, reach:]
        b = torch.cat([b[:, :reach], a_old * b_new + b_old], dim=1)
        a = torch.cat([a[:, :reach], a_new * a_old], dim=1)
        reach = 2 * reach
    return b
