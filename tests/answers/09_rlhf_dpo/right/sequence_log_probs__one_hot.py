"""Right: a one-hot in place of gather, and the mask as a factor."""


def sequence_log_probs(logits, tokens, mask):
    log_p = F.log_softmax(logits[:, :-1], dim=-1)
    chosen = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(log_p.dtype)
    return ((log_p * chosen).sum(-1) * mask[:, 1:]).sum(-1)
