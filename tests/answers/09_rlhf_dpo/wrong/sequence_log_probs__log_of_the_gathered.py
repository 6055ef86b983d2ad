"""The logarithm of each token's softmax.

mistake: log_of_softmax
fails: scores of a thousand
"""


def sequence_log_probs(logits: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
    log_p = logits[:, :-1].softmax(-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1).log()
    return log_p.masked_fill(~mask[:, 1:], 0.0).sum(-1)
