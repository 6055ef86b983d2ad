"""Sum divided by the number of heads."""

def average_heads(weights):
    return weights.sum(dim=-3) / weights.size(-3)
