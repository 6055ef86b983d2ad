"""Right: Σp² − 2Σp³ + (Σp²)², in float64 as the terms cancel when softmax is saturated."""


def softmax_jacobian_norm(scores):
    p = torch.softmax(scores.double(), dim=0)
    square = p.pow(2).sum() - 2 * p.pow(3).sum() + p.pow(2).sum() ** 2
    return math.sqrt(max(float(square), 0.0))
