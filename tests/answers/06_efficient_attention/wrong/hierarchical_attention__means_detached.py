"""No gradient flows through the means.

mistake: unnamed
fails: more patches
"""


def hierarchical_attention(x, patch):
    def attend(rows):
        return (rows @ rows.transpose(-2, -1) / math.sqrt(rows.shape[-1])).softmax(-1) @ rows

    local = attend(x.unflatten(1, (-1, patch)))
    return (local + attend(local.mean(2).detach()).unsqueeze(2)).flatten(1, 2)
