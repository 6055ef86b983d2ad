"""i² − 2ij + j², from outer products.
"""

def spring_bias(n: int, stiffness: float) -> Tensor:
    p = torch.arange(n, dtype=torch.float32)
    squares = p.square()
    return -(stiffness / 2) * (squares[:, None] + squares - 2 * torch.outer(p, p))
