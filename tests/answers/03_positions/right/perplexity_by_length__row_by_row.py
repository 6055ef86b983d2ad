"""One row at a time, sums of losses.
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    result = {}
    for length in lengths:
        total, count = 0.0, 0
        for row in tokens:
            shown = row[len(row) - length :].unsqueeze(0)
            logits = model(shown)[0]
            for t in range(length - num_targets, length):
                total += float(nn.functional.cross_entropy(logits[t - 1 : t], shown[0, t : t + 1]))
                count += 1
        result[length] = math.exp(total / count)
    return result
