"""Scans along the batch.

mistake: axis_0
fails: eight positions
"""


def associative_scan(a, b):
    reach = 1
    while reach < a.shape[0]:
        a_old, b_old = a[:-reach], b[:-reach]
        a_new, b_new = a[reach:], b[reach:]
        b = torch.cat([b[:reach], a_new * b_old + b_new], dim=0)
        a = torch.cat([a[:reach], a_new * a_old], dim=0)
        reach = 2 * reach
    return b
