"""Each token by its own coin.

mistake: coins_per_token
fails: a text of T5's settings
"""


def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    hit = torch.rand(len(tokens), generator=generator) < density
    hit[int(torch.randint(len(tokens), (), generator=generator))] = True
    inputs, targets, used = [], [], 0
    for i, token in enumerate(tokens.tolist()):
        if not hit[i]:
            inputs.append(token)
            continue
        if i == 0 or not hit[i - 1]:
            inputs.append(sentinel_ids[used])
            targets.append(sentinel_ids[used])
            used += 1
        targets.append(token)
    return tokens.new_tensor(inputs), tokens.new_tensor([*targets, sentinel_ids[used]])
