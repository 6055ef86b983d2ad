"""In plain Python."""

def effective_rank(matrix):
    singular = torch.linalg.svdvals(matrix).tolist()
    total = sum(singular)
    shares = [s / total for s in singular]
    return math.exp(sum(-p * math.log(p) for p in shares if p > 0))
