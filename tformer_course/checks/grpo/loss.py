"""grpo_loss."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.grpo import objective as reference
from ..core.exercise import Case, Exercise, Mistake

RULES = ("sequence", "token", "constant")


def mask_of(lengths, length: int) -> Tensor:
    """`(N, T)`, True for the first tokens of each row."""
    return torch.arange(length) < torch.as_tensor(lengths).unsqueeze(-1)


def policies(draw, count: int, length: int, dtype=torch.float64, spread: float = 0.4, low: int = 1) -> list[Tensor]:
    """log_p, log_p_old, log_ref, advantages and mask: ratios on both sides of the clip, advantages of both signs."""
    near = draw.normal(count, length) - 1.5
    three = [(near + draw.normal(count, length, scale=spread)).to(dtype) for _ in range(3)]
    advantages = draw.normal(count, dtype=dtype)
    advantages[0], advantages[1] = advantages[0].abs() + 0.2, -advantages[1].abs() - 0.2
    lengths = draw.integers(low, length, count)
    lengths[0] = length
    return [*three, advantages, mask_of(lengths, length)]


def spoiled(draw, junk: float, junk_old: float | None = None, junk_ref: float | None = None) -> list[Tensor]:
    """Policies with something in the padding: the same in all three of them, or in each its own."""
    *three, advantages, mask = policies(draw, 4, 5)
    fills = (junk, junk if junk_old is None else junk_old, junk if junk_ref is None else junk_ref)
    return [*(x.masked_fill(~mask, fill) for x, fill in zip(three, fills, strict=True)), advantages, mask]


def under_all(answer: Callable, *given, clip: float = 0.2, beta: float = 0.04) -> dict:
    """The loss under the three rules."""
    return {rule: answer(*given, clip=clip, beta=beta, aggregate=rule) for rule in RULES}


def right_under_all(*given, clip: float = 0.2, beta: float = 0.04) -> dict:
    """The same by a loop over tokens."""
    return {rule: token_by_token(*given, clip=clip, beta=beta, aggregate=rule) for rule in RULES}


def token_by_token(log_p, log_p_old, log_ref, advantages, mask, clip=0.2, beta=0.04, aggregate="sequence") -> Tensor:
    """Every token by itself, with a case for each side of the clip; padding is never touched."""
    count, length = mask.shape
    lengths, total = mask.sum(1).tolist(), log_p.new_zeros(()) + 0 * log_p[:0].sum()
    for i in range(count):
        for t in range(lengths[i]):
            a = advantages[i].detach()
            ratio = torch.exp(log_p[i, t] - log_p_old[i, t].detach())
            beyond = ratio > 1 + clip if a > 0 else ratio < 1 - clip
            gain = a * ((1 + clip) if a > 0 else (1 - clip)) if beyond else a * ratio
            odds = torch.exp(log_ref[i, t].detach() - log_p[i, t])
            share = {"sequence": count * lengths[i], "token": sum(lengths), "constant": count * length}[aggregate]
            total = total - (gain - beta * (odds - 1 - torch.log(odds))) / share
    return total


def _k3(log_p, log_ref):
    d = log_ref - log_p
    return d.exp() - 1 - d


def _clipped(ratio, a, clip):
    return torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)


def _sequence(x, mask):
    return ((x * mask).sum(1) / mask.sum(1).clamp(min=1)).mean()


def _token(x, mask):
    return (x * mask).sum() / mask.sum().clamp(min=1)


def _constant(x, mask):
    return (x * mask).sum() / mask.numel()


def _of(
    *,
    ratio: Callable = lambda p, old: (p - old).exp(),
    gain: Callable = _clipped,
    kl: Callable = _k3,
    sequence: Callable = _sequence,
    token: Callable = _token,
    constant: Callable = _constant,
    hold: bool = True,
    hold_ref: bool = True,
    fill: bool = True,
    sign: float = -1.0,
    kl_sign: float = -1.0,
) -> Callable:
    """The loss with one thing done differently."""
    rules = {"sequence": sequence, "token": token, "constant": constant}

    def grpo_loss(log_p, log_p_old, log_ref, advantages, mask, clip=0.2, beta=0.04, aggregate="sequence"):
        if fill:
            log_p, log_p_old, log_ref = (x.masked_fill(~mask, 0.0) for x in (log_p, log_p_old, log_ref))
        old, ref = log_p_old.detach() if hold else log_p_old, log_ref.detach() if hold_ref else log_ref
        x = gain(ratio(log_p, old), advantages.detach()[:, None], clip) + kl_sign * beta * kl(log_p, ref)
        return sign * rules[aggregate](x, mask)

    return grpo_loss


def _padded_length(x, mask):
    return (x * mask).mean(1).mean()


def _without_empty(x, mask):
    lengths = mask.sum(1)
    return ((x * mask).sum(1) / lengths.clamp(min=1)).sum() / (lengths > 0).sum().clamp(min=1)


def _by_longest(x, mask):
    return (x * mask).sum() / (len(mask) * mask.sum(1).max().clamp(min=1))


def _no_old(log_p, log_p_old, log_ref, advantages, mask, clip=0.2, beta=0.04, aggregate="sequence"):
    return _of()(log_p, log_p.detach(), log_ref, advantages, mask, clip, beta, aggregate)


def _one_rule(rule: Callable) -> dict:
    return {"sequence": rule, "token": rule, "constant": rule}


GRPO_LOSS = Exercise(
    name="grpo_loss",
    points=4,
    reference=reference.grpo_loss,
    cases=(
        Case(
            "sequences of one length", lambda draw: [*policies(draw, 4, 3, low=3)], call=under_all, grad=True, tol=1e-6
        ),
        Case(
            "sequences of different lengths", lambda draw: [*policies(draw, 5, 6)], call=under_all, grad=True, tol=1e-6
        ),
        Case(
            "an empty sequence",
            lambda draw: [*policies(draw, 4, 5)[:4], mask_of([4, 0, 2, 3], 5)],
            call=under_all,
            grad=True,
            tol=1e-6,
        ),
        Case(
            "padding that holds infinity",
            lambda draw: spoiled(draw, float("-inf")),
            call=under_all,
            grad=True,
            tol=1e-6,
        ),
        Case(
            "padding that holds large numbers",
            lambda draw: spoiled(draw, 1e4, -1e4, 2e4),
            call=under_all,
            grad=True,
            tol=1e-6,
        ),
        Case(
            "another clip and β",
            lambda draw: [*policies(draw, 4, 4)],
            call=lambda answer, *given: under_all(answer, *given, clip=0.05, beta=0.7),
            grad=True,
            tol=1e-6,
        ),
    ),
    mistakes=(
        Mistake("sign", "you return the objective, which is to be raised. What does an optimiser do?", _of(sign=1.0)),
        Mistake(
            "no_clipping",
            "nothing is clipped. What keeps the ratio's gain from growing?",
            _of(gain=lambda r, a, clip: r * a),
        ),
        Mistake(
            "only_the_clipped_one",
            "you always take the clipped ratio, so a bad ratio with a bad advantage is let off. Which of the two "
            "gains counts?",
            _of(gain=lambda r, a, clip: r.clamp(1 - clip, 1 + clip) * a),
        ),
        Mistake(
            "the_larger_one",
            "you take the larger of both gains. Which one is the careful one?",
            _of(gain=lambda r, a, clip: torch.maximum(r * a, r.clamp(1 - clip, 1 + clip) * a)),
        ),
        Mistake(
            "clipped_above_only",
            "ratios below 1 − clip are not clipped. What happens there where the advantage is negative?",
            _of(gain=lambda r, a, clip: torch.minimum(r * a, r.clamp(max=1 + clip) * a)),
        ),
        Mistake(
            "kl_direction",
            "your k3 holds p / p_ref in place of p_ref / p. Samples come from which of the two?",
            _of(kl=lambda p, ref: (p - ref).exp() - 1 - (p - ref)),
        ),
        Mistake(
            "k1",
            "you take log p − log p_ref for the distance (k1), which may be negative. Which estimate does GRPO use?",
            _of(kl=lambda p, ref: p - ref),
        ),
        Mistake(
            "k2",
            "you take half the squared difference (k2). Which estimate does GRPO use?",
            _of(kl=lambda p, ref: (p - ref).square() / 2),
        ),
        Mistake(
            "kl_rewarded",
            "the distance to the reference is added to the objective. Should it be rewarded?",
            _of(kl_sign=1.0),
        ),
        Mistake(
            "no_kl",
            "the distance to the reference is left out. What does β multiply?",
            _of(kl=lambda p, ref: torch.zeros_like(p)),
        ),
        Mistake(
            "kl_without_gradient",
            "the distance is in the value and not in the gradient. Which part of it is a constant?",
            _of(kl=lambda p, ref: _k3(p.detach(), ref)),
        ),
        Mistake(
            "gradient_through_old",
            "a gradient reaches log_p_old. Which policy is trained?",
            _of(hold=False),
        ),
        Mistake(
            "gradient_through_the_reference",
            "a gradient reaches log_ref. Which policy is trained?",
            _of(hold_ref=False),
        ),
        Mistake(
            "old_ignored", "your ratio is 1 everywhere: it compares log_p with itself. What is it compared to?", _no_old
        ),
        Mistake(
            "always_1",
            "log_p_old is not used: your ratio is always 1. To what is log_p compared?",
            _of(ratio=lambda p, old: torch.ones_like(p)),
        ),
        Mistake(
            "difference_for_ratio",
            "your ratio is a difference of logarithms. What undoes the logarithm?",
            _of(ratio=lambda p, old: p - old),
        ),
        Mistake(
            "mean_over_padding",
            "padding counts in your mean over a sequence. How many of its tokens are real?",
            _of(sequence=_padded_length),
        ),
        Mistake(
            "mean_over_everything",
            "padding counts in your mean over all tokens. How many of them are real?",
            _of(token=_constant),
        ),
        Mistake(
            "empty_left_out",
            "an empty sequence is left out of the mean over sequences. Does it count in N?",
            _of(sequence=_without_empty),
        ),
        Mistake(
            "token_for_sequence",
            "“sequence” averages over all tokens, so long sequences weigh more. Which mean comes first?",
            _of(sequence=_token),
        ),
        Mistake(
            "sequence_for_token",
            "“token” averages within each sequence first. How much does each token of the batch weigh?",
            _of(token=_sequence),
        ),
        Mistake(
            "one_rule_for_all",
            "all three rules give the mean per sequence. What does aggregate choose?",
            _of(**_one_rule(_sequence)),
        ),
        Mistake(
            "longest_for_the_budget",
            "your constant is N times the longest sequence. Which length is the budget?",
            _of(constant=_by_longest),
        ),
        Mistake(
            "divided_by_n_alone",
            "your constant is N alone. By what is the sum over tokens divided?",
            _of(constant=lambda x, mask: (x * mask).sum() / len(mask)),
        ),
        Mistake(
            "padding_spoils_it",
            "what the padding holds spoils the result: infinity times 0 is NaN. When must it be taken out?",
            _of(fill=False),
        ),
    ),
)
