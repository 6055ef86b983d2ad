"""The columns are measured.

mistake: over_queries
fails: positive weights
"""

def attention_entropy(weights, mask=None):
    weights = weights.transpose(-2, -1)
    logs = torch.where(weights > 0, weights, 1.0).log()
    return 0.0 - (weights * logs).sum(-1) / math.log(weights.shape[-1])
