"""An epsilon in the logarithm, where log_softmax needs none.

mistake: unnamed
fails: scores of a thousand
"""


def sequence_log_probs(logits, tokens, mask):
    p = logits[:, :-1].softmax(-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return (torch.log(p + 1e-12) * mask[:, 1:]).sum(-1)
