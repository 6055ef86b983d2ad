"""Right: multiplies by a permutation matrix."""


def permutation_gap(attend, x, perm):
    matrix = torch.eye(len(perm), dtype=x.dtype, device=x.device)[perm]
    with torch.no_grad():
        gap = matrix @ attend(x) - attend(matrix @ x)
    return torch.linalg.vector_norm(gap, ord=math.inf).item()
