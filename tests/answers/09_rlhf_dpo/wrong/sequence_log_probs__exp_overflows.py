"""Softmax by hand.

mistake: overflow
fails: a thousand
"""


def sequence_log_probs(logits, tokens, mask):
    p = logits[:, :-1].exp() / logits[:, :-1].exp().sum(-1, keepdim=True)
    picked = p.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1).log()
    return picked.masked_fill(~mask[:, 1:], 0.0).sum(-1)
