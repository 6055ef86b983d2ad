"""Span corruptions with something wrong in them."""

from __future__ import annotations

import torch


def spans(
    marks: str = "right",
    end: str = "right",
    gaps: str = "right",
    size: str = "right",
    check: bool = True,
    draw: str = "right",
):
    """A span_corruption; each argument says what is wrong in one respect."""

    def span_corruption(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
        generator = None if draw == "generator_ignored" else generator
        n = len(tokens)
        cut = round(density * n) if size == "may_be_none" else max(1, round(density * n))
        cut = {
            "floor": max(1, int(density * n)),
            "ceil": -int(-density * n // 1),
            "half_up": max(1, int(density * n + 0.5)),
        }.get(size, cut)
        cut = min(cut, n)
        kept = n - cut
        count = {
            "one": 1,
            "singles": cut,
            "always_up": -int(-cut / mean_span // 1),
            "by_share": max(1, round(density * n / mean_span)),
        }.get(size, max(1, round(cut / mean_span)))
        if size != "does_not_fit":
            count = min(count, max(cut, 1), kept + 1)
        if check and count + 1 > len(sentinel_ids):
            raise ValueError(count)
        ids = list(sentinel_ids) + [sentinel_ids[-1]] * (count + 2)

        def parts(total, number):
            order = torch.randperm(total - 1, generator=generator)[: number - 1] + 1
            order = order.sort().values.tolist()
            return [b - a for a, b in zip([0, *order], [*order, total], strict=True)]

        lengths = parts(cut, count) if cut else [0]
        if gaps == "touching":
            between = parts(kept + count + 1, count + 1)
            between = [b - 1 for b in between]
        elif gaps == "t5":
            between = [*parts(kept, count), 0] if kept >= count else [*parts(kept + 1, count + 1)]
        elif gaps == "never_at_the_ends" and kept > count:
            between = parts(kept, count + 1)
        else:
            between = parts(kept + 2, count + 1)
            between[0], between[-1] = between[0] - 1, between[-1] - 1
        source, target, at = [], [], 0
        for i, (gap, length) in enumerate(zip(between, lengths, strict=False)):
            mark = tokens.new_tensor(
                [ids[0] if marks == "reused" else ids[count - 1 - i] if marks == "reversed" else ids[i]]
            )
            span = tokens[at + gap : at + gap + length]
            source += [tokens[at : at + gap], mark.expand(length) if marks == "per_token" else mark]
            target += [span] if marks == "not_in_targets" else [span, mark] if marks == "behind" else [mark, span]
            at += gap + length
        source.append(tokens[at:])
        last = {"missing": [], "last_again": [ids[count - 1]], "reused": [ids[0]], "very_last": [sentinel_ids[-1]]}
        target.append(tokens.new_tensor(last.get(end, [ids[count]])))
        return torch.cat(source), torch.cat(target)

    return span_corruption


def coins_per_token(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    """Every token by its own coin, as BERT chooses, with touching ones joined."""
    chosen = torch.rand(len(tokens), generator=generator) < density
    chosen[int(torch.randint(0, len(tokens), (), generator=generator))] = True
    source, target, used = [], [], 0
    for i, token in enumerate(tokens.tolist()):
        if not chosen[i]:
            source.append(token)
            continue
        if i == 0 or not chosen[i - 1]:
            source.append(sentinel_ids[used])
            target.append(sentinel_ids[used])
            used += 1
        target.append(token)
    return tokens.new_tensor(source), tokens.new_tensor([*target, sentinel_ids[used]])


def swapped(tokens, sentinel_ids, density=0.15, mean_span=3, generator=None):
    return spans()(tokens, sentinel_ids, density, mean_span, generator)[::-1]
