"""Right: softmax and every entry pᵢ(δᵢⱼ − pⱼ) with Python numbers."""


def softmax_jacobian_norm(scores):
    numbers = scores.tolist()
    top = max(numbers)
    shares = [math.exp(s - top) for s in numbers]
    p = [share / sum(shares) for share in shares]
    total = 0.0
    for i in range(len(p)):
        for j in range(len(p)):
            total += (p[i] * ((i == j) - p[j])) ** 2
    return total**0.5
