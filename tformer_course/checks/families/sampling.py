"""sample_next."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from ...models.families import decoding as reference
from ..core.exercise import Case, Exercise, Mistake

DRAWS = 20_000


def slow_probabilities(logits: Tensor, temperature: float, top_k: int | None, top_p: float | None) -> Tensor:
    """What each token's probability should be, for one row `(V,)`, token by token."""
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(), len(logits)).double()
    scaled = [float(x) / temperature for x in logits]
    order = sorted(range(len(scaled)), key=lambda i: -scaled[i])
    left = order[: top_k or len(order)]
    if top_p is not None:
        total = sum(math.exp(scaled[i] - scaled[order[0]]) for i in left)
        kept, mass = [], 0.0
        for i in left:
            kept.append(i)
            mass += math.exp(scaled[i] - scaled[order[0]]) / total
            if mass >= top_p:
                break
        left = kept
    result = torch.zeros(len(scaled), dtype=torch.float64)
    for i in left:
        result[i] = math.exp(scaled[i] - scaled[order[0]])
    return result / result.sum()


def shuffled_logits(draw, probabilities) -> Tensor:
    """Logits of these probabilities, `(V,)`, in a random order and with a random offset."""
    logits = torch.tensor(probabilities, dtype=torch.float64).log() + draw.normal(1)
    return logits[draw.permutation(len(probabilities))]


def frequencies(sample, logits, *settings, seed=0, draws=DRAWS):
    """How often each token is drawn when one row of logits is repeated."""
    drawn = sample(logits.expand(draws, -1), *settings, torch.Generator().manual_seed(seed))
    return shares(drawn, logits.shape[-1])


def shares(drawn: Tensor, vocab: int) -> Tensor:
    """How often each token was drawn; the shape of the draws where that is not one axis."""
    if drawn.ndim != 1:
        return torch.tensor(drawn.shape)
    return torch.bincount(drawn, minlength=vocab).double() / len(drawn)


def _frequencies(answer, logits, temperature, top_k, top_p, seed):
    return frequencies(answer, logits, temperature, top_k, top_p, seed=seed)


def _right(logits, temperature, top_k, top_p, seed):
    return slow_probabilities(logits, temperature, top_k, top_p)


def _case(name, probabilities, temperature=1.0, top_k=None, top_p=None):
    return Case(
        name,
        lambda draw: [shuffled_logits(draw, probabilities), temperature, top_k, top_p, draw.integer(0, 10**6)],
        _right,
        call=_frequencies,
        tol=0.025,
    )


def _default(answer, logits, seed):
    drawn = answer(logits.expand(DRAWS, -1), generator=torch.Generator().manual_seed(seed))
    return shares(drawn, logits.shape[-1])


def _rows(answer, logits, seed):
    """Each row by its own logits, and the generator: rows whose likeliest token leaves no doubt."""
    certain = logits.argsort(-1).argsort(-1).to(logits.dtype) * 100
    one, again = (answer(logits, generator=torch.Generator().manual_seed(seed)) for _ in range(2))
    return [answer(certain, generator=torch.Generator().manual_seed(seed)), torch.equal(one, again)]


def _own_cuts(answer, logits, seed):
    """How often each token is drawn where rows of two kinds alternate, cut by top-p."""
    drawn = answer(logits.repeat(DRAWS, 1), 1.0, None, 0.6, torch.Generator().manual_seed(seed))
    return [shares(drawn[i::2], logits.shape[-1]) for i in (0, 1)]


def wrong(
    temperature_at: str = "logits",
    k: str = "right",
    p: str = "right",
    draw: str = "right",
    zero: str = "greedy",
):
    """A sample_next; each argument says what is wrong in one respect."""

    def cut_k(logits, top_k):
        if top_k is None:
            return logits
        keep = {"one_less": top_k - 1, "one_more": top_k + 1, "unclipped": top_k}.get(k, top_k)
        if k != "unclipped":
            keep = min(keep, logits.shape[-1])
        if k == "ignored" or keep < 1:
            return logits
        if k == "smallest":
            return logits.masked_fill(logits > logits.topk(keep, largest=False).values[..., -1:], -math.inf)
        return logits.masked_fill(logits < logits.topk(keep).values[..., -1:], -math.inf)

    def cut_p(logits, top_p, whole):
        if top_p is None or p == "ignored":
            return logits
        probabilities = whole.softmax(-1) if p == "not_renormalised" else logits.softmax(-1)
        if p == "threshold":
            return logits.masked_fill(probabilities < top_p * probabilities.amax(-1, keepdim=True), -math.inf)
        ranked, index = probabilities.sort(dim=-1, descending=p != "ascending")
        total = ranked.cumsum(-1)
        out = {"drops_crossing": total > top_p, "one_more": total - ranked - ranked.roll(1, -1) > top_p}.get(
            p, total - ranked >= top_p
        )
        if p == "one_more":
            out[..., :2] = False
        out[..., 0] = False
        if p == "first_row":
            out = out[:1].expand_as(out)
        if p == "unsorted":  # the cut is made by rank, but applied by position
            return logits.masked_fill(out, -math.inf)
        return logits.masked_fill(torch.zeros_like(out).scatter(-1, index, out), -math.inf)

    def sample_next(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
        if temperature == 0:
            if zero == "greedy":
                return logits.argmax(-1)
            temperature = 1.0
        if temperature_at == "inverted":
            temperature = 1 / temperature
        late = temperature_at in ("after_softmax", "softmax_twice", "late")
        x = logits if late else logits / temperature
        whole = x
        x = cut_p(cut_k(x, top_k), top_p, whole)
        if temperature_at == "late":
            x = x / temperature
        probabilities = x.softmax(-1)
        if temperature_at == "softmax_twice":
            probabilities = (probabilities / temperature).softmax(-1)
        if draw == "argmax":
            return probabilities.argmax(-1)
        if draw == "uniform":
            probabilities = (probabilities > 0).to(x.dtype)
        if draw == "one_for_all":
            return torch.multinomial(probabilities[:1], len(x), replacement=True, generator=generator)[0]
        generator = None if draw == "generator_ignored" else generator
        drawn = torch.multinomial(probabilities, 1, generator=generator)
        return drawn if draw == "extra_axis" else drawn.squeeze(-1)

    return sample_next


_WIDE = [0.4, 0.25, 0.15, 0.1, 0.06, 0.04]

SAMPLE_NEXT = Exercise(
    name="sample_next",
    points=2,
    reference=reference.sample_next,
    forbid=(),
    cases=(
        Case(
            "plain sampling",
            lambda draw: [shuffled_logits(draw, _WIDE), draw.integer(0, 10**6)],
            lambda logits, seed: slow_probabilities(logits, 1.0, None, None),
            call=_default,
            tol=0.025,
        ),
        _case("temperature 2", _WIDE, 2.0),
        _case("temperature 0.5", _WIDE, 0.5),
        _case("temperature 0", _WIDE, 0),
        _case("top-k", _WIDE, 1.0, 3),
        _case("top-k above V", _WIDE, 1.0, 50),
        _case("top-p", [0.3, 0.25, 0.2, 0.15, 0.1], 1.0, None, 0.6),
        _case("top-p with one likely token", [0.75, 0.15, 0.06, 0.04], 1.0, None, 0.5),
        _case("temperature before top-p", _WIDE, 3.0, None, 0.7),
        _case("top-k, then top-p", _WIDE, 1.0, 3, 0.78),
        Case(
            "top-p, row by row",
            lambda draw: [
                torch.stack([shuffled_logits(draw, _WIDE), shuffled_logits(draw, [0.7, 0.2, 0.04, 0.03, 0.02, 0.01])]),
                draw.integer(0, 10**6),
            ],
            lambda logits, seed: [slow_probabilities(row, 1.0, None, 0.6) for row in logits],
            call=_own_cuts,
            tol=0.025,
        ),
        Case(
            "rows, generator",
            lambda draw: [draw.normal(60, 9), draw.integer(0, 10**6)],
            lambda logits, seed: [logits.argmax(-1), True],
            call=_rows,
        ),
    ),
    mistakes=(
        Mistake(
            "not_renormalised",
            "your top-p counts as if top-k had cut nothing. Which cut is first, and what do the tokens left sum to?",
            wrong(p="not_renormalised"),
        ),
        Mistake(
            "temperature_after_softmax",
            "temperature changes nothing: to divide probabilities by it changes their sum alone. Before which function "
            "must it act?",
            wrong("after_softmax"),
        ),
        Mistake(
            "softmax_twice",
            "you divide probabilities by the temperature and apply softmax to them again. Before which softmax must it "
            "act?",
            wrong("softmax_twice"),
        ),
        Mistake(
            "temperature_inverted", "you multiply by the temperature. Is text at 2 wilder or tamer?", wrong("inverted")
        ),
        Mistake(
            "temperature_last",
            "you cut first and divide by the temperature afterwards. What comes first?",
            wrong("late"),
        ),
        Mistake(
            "zero_not_greedy", "temperature 0 is not greedy. Which token is the limit for T → 0?", wrong(zero="one")
        ),
        Mistake("always_greedy", "you always take the likeliest token. Where is the draw?", wrong(draw="argmax")),
        Mistake(
            "uniform_draw",
            "all tokens that are left are equally likely. With which weights are they drawn?",
            wrong(draw="uniform"),
        ),
        Mistake("k_minus_one", "k − 1 tokens stay. Is the k-th one among those that stay?", wrong(k="one_less")),
        Mistake("k_plus_one", "k + 1 tokens stay. Is the next one after the k-th cut?", wrong(k="one_more")),
        Mistake("k_ignored", "top_k changes nothing. Which logits become −inf?", wrong(k="ignored")),
        Mistake("smallest_k", "the least likely tokens stay. Which end of the ranking is kept?", wrong(k="smallest")),
        Mistake(
            "crossing_token_dropped",
            "the token that crosses p is dropped, so less than p is left. Which token is the last to stay?",
            wrong(p="drops_crossing"),
        ),
        Mistake(
            "one_token_too_many",
            "one token more than needed stays. Does a token still stay when those before it hold p already?",
            wrong(p="one_more"),
        ),
        Mistake("p_ignored", "top_p changes nothing. Which tokens are left out?", wrong(p="ignored")),
        Mistake(
            "ascending",
            "you add up from the least likely token. At which end does top-p begin?",
            wrong(p="ascending"),
        ),
        Mistake(
            "rank_taken_for_token",
            "you cut ranks as if they were tokens. How do you get from a rank back to its token?",
            wrong(p="unsorted"),
        ),
        Mistake(
            "cut_by_the_first_row",
            "in every row as many tokens stay as in the first. Whose probabilities cut a row?",
            wrong(p="first_row"),
        ),
        Mistake(
            "one_row_for_all",
            "every row is drawn by the logits of the first. Which axis does the draw run over?",
            wrong(draw="one_for_all"),
        ),
        Mistake("extra_axis", "your result has one axis too many. What shape is asked for?", wrong(draw="extra_axis")),
        Mistake(
            "generator_ignored",
            "the same generator gives different tokens. Which function must receive it?",
            wrong(draw="generator_ignored"),
        ),
    ),
)
