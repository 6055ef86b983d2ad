"""Right: one row at a time, logsumexp."""


def sequence_log_probs(logits, tokens, mask):
    totals = []
    for scores, row, real in zip(logits, tokens, mask):
        picked = scores[:-1].gather(1, row[1:, None])[:, 0] - scores[:-1].logsumexp(-1)
        totals.append(picked[real[1:]].sum())
    return torch.stack(totals)
