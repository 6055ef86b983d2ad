"""Nested loops.
"""

def spring_bias(n, stiffness):
    bias = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            bias[i, j] = -0.5 * stiffness * (i - j) ** 2
    return bias
