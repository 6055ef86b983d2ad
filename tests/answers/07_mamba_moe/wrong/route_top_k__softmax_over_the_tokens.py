"""The softmax runs over the first axis.

mistake: softmax_over_the_tokens
fails: two of five
"""


def route_top_k(logits, k):
    values, indices = logits.topk(k)
    return values.softmax(dim=0), indices
