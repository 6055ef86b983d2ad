"""Right: the Jacobian by torch.autograd.functional."""


def softmax_jacobian_norm(scores):
    matrix = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=-1), scores.detach())
    return torch.linalg.matrix_norm(matrix, ord="fro").item()
