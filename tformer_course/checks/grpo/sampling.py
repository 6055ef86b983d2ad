"""sample_group."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.grpo import sampling as reference
from ..core.exercise import Case, Exercise, Mistake

END = 4


def forced(table: Tensor) -> Callable:
    """A model whose next token is certain: `table[last token, position]`; ties to nothing that is drawn."""

    def model(tokens: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1]) % table.shape[1]
        wanted = table[tokens, places]  # (B, T)
        return 60.0 * torch.nn.functional.one_hot(wanted, int(table.max()) + 1).double()

    return model


def by_rule(weights: Tensor) -> Callable:
    """A model whose scores depend on the last token and on the sum of all of them."""

    def model(tokens: Tensor) -> Tensor:
        return weights[tokens] + 0.1 * torch.cumsum(tokens, dim=1).unsqueeze(-1) * weights[0]

    return model


def certain(answer: Callable, prompts: Tensor, table: Tensor, group: int, budget: int) -> dict:
    """What a model without chance writes."""
    tokens, mask, _ = answer(forced(table), prompts, group, budget, 1.0, END, torch.Generator().manual_seed(0))
    return {"tokens": tokens, "mask": mask}


def drawn(
    answer: Callable, prompts: Tensor, weights: Tensor, group: int, budget: int, temperature: float, seed: int
) -> dict:
    """What a model with chance writes, with the scores that belong to it."""
    generator = torch.Generator().manual_seed(seed)
    model = by_rule(weights.clone().requires_grad_())  # has something to train, so a gradient can be left over
    tokens, mask, log_probs = answer(model, prompts, group, budget, temperature, END, generator)
    left = bool(log_probs.requires_grad)
    return {"tokens": tokens, "mask": mask, "log_probs": log_probs.detach(), "gradient": left}


def faults(value: dict, prompts, weights, group, budget, temperature, *rest) -> bool | str:
    """What is wrong with samples, by going through them one by one; True where nothing is."""
    tokens, mask, log_probs = value["tokens"], value["mask"], value["log_probs"]
    count, start = prompts.shape
    shapes = [(count, group, start + budget), (count, group, budget), (count, group, budget)]
    for name, x, shape in zip(("tokens", "mask", "log_probs"), (tokens, mask, log_probs), shapes, strict=True):
        if tuple(x.shape) != shape:
            return f"{name} has the shape {tuple(x.shape)}, expected {shape}"
    if mask.dtype != torch.bool or tokens.dtype != torch.int64:
        return "mask should be bool and tokens int64"
    if not torch.equal(tokens[..., :start], prompts.unsqueeze(1).expand(-1, group, -1)):
        return "a group does not begin with its own prompt"
    rows, real, given = tokens.flatten(0, 1), mask.flatten(0, 1), log_probs.flatten(0, 1)
    if bool((rows < 0).any() or (rows >= len(weights)).any()):
        return "a token is outside the vocabulary"
    written = rows[:, start:]
    before = (written == END).cumsum(1) - (written == END).int()  # ends before this place
    if not torch.equal(real, before == 0):
        return "mask is not True up to and with the first end token, and False after it"
    if bool((written[~real] != END).any()):
        return "something else than the end token follows the end"
    scores = by_rule(weights)(rows)[:, start - 1 : -1] / temperature
    right = scores.log_softmax(-1).gather(-1, written.unsqueeze(-1)).squeeze(-1)
    plain = (scores * temperature).log_softmax(-1).gather(-1, written.unsqueeze(-1)).squeeze(-1)
    if bool((given[~real] != 0).any()):
        return "log_probs are not 0 where mask is False"
    if not torch.allclose(given[real].double(), right[real], atol=1e-4):
        at_one = torch.allclose(given[real].double(), plain[real], atol=1e-4)
        return "log_probs belong to temperature 1" if at_one else "log_probs are not those of the tokens drawn"
    return "a gradient is left in log_probs" if value["gradient"] else True


def told(answer: Callable, *given) -> dict:
    """`faults` as a value, so that a check can tell mistakes apart."""
    return {"fault": faults(drawn(answer, *given), *given)}


def repeated(answer: Callable, *given) -> dict:
    """Whether equal generators give equal samples, and another one others."""
    *rest, seed = given
    first, second, other = (drawn(answer, *rest, s)["tokens"] for s in (seed, seed, seed + 1))
    return {"equal seeds": bool(torch.equal(first, second)), "other seeds": bool(torch.equal(first, other))}


def shares(answer: Callable, scores: Tensor, temperature: float, count: int, seed: int) -> dict:
    """How often each token is drawn first, and how often two of a group agree."""

    def model(tokens):
        return scores.expand(*tokens.shape, -1)

    generator = torch.Generator().manual_seed(seed)
    tokens, _, _ = answer(model, torch.zeros(2, 1, dtype=torch.int64), count, 1, temperature, 99, generator)
    first = tokens[:, :, 1]
    return {"shares": torch.stack([(first == v).double().mean() for v in range(len(scores))])}


def near_softmax(value, scores, temperature, count, *rest) -> bool | str:
    """Shares of 2 · count draws lie within 8 standard deviations."""
    wanted = (scores / temperature).softmax(-1).double()
    width = 8 * (wanted * (1 - wanted) / (2 * count)).sqrt() + 1e-3
    near = bool(((value["shares"] - wanted).abs() < width).all())
    return near or "tokens are not drawn as often as they should"


def story(draw) -> list[Tensor]:
    """Prompts, of which one begins and one ends with the end token, and weights that end now and then."""
    prompts = draw.integers(0, 3, 3, 3)
    prompts[1, 0] = prompts[2, -1] = END
    weights = draw.normal(6, 6)
    weights[:, END] += 0.5
    return [prompts, weights]


def paths(draw) -> list[Tensor]:
    """Prompts that differ, and a certain path from each, which ends at different places."""
    table = torch.tensor(
        [[1, 1, 1, 2, 1, 1], [2, 2, 2, 2, 2, 2], [3, 3, 3, 3, 0, 3], [4, 4, 4, 0, 4, 4], [0, 1, 2, 3, 0, 1]]
    )
    prompts = torch.tensor([[0, 0], [4, 1], [1, 2], [2, 3], [2, 4]])[draw.permutation(5)]
    return [prompts, table]


def _of(
    *,
    repeat: Callable = lambda p, g: p.repeat_interleave(g, dim=0),
    scores: Callable = lambda logits, temperature: logits / temperature,
    kept: Callable = lambda logits, temperature: logits / temperature,
    alive: Callable = lambda running, ended: running & ~ended,
    with_end: bool = True,
    fill: bool = True,
    zero: bool = True,
    last: int = -1,
    greedy: bool = False,
    own_generator: bool = True,
    prompt_ends: Callable = lambda ends: ends.any(1) & False,
    mask_ends: bool = True,
    place: Callable = lambda x, p, g: x.view(p, g, *x.shape[1:]),
    place_mask: Callable | None = None,
) -> Callable:
    """Sampling with one thing done differently."""

    @torch.no_grad()
    def sample_group(model, prompts, group_size, max_new_tokens, temperature, eos_id, generator=None):
        tokens = repeat(prompts, group_size)
        generator = generator if own_generator else None
        running = ~prompt_ends(tokens == eos_id)
        masks, found = [], []
        for _ in range(max_new_tokens):
            logits = model(tokens)[:, last]
            p = scores(logits, temperature).softmax(-1)
            new = p.argmax(-1) if greedy else torch.multinomial(p, 1, generator=generator).squeeze(-1)
            if fill:
                new = torch.where(running, new, eos_id)
            log_p = kept(logits, temperature).log_softmax(-1).gather(-1, new[:, None]).squeeze(-1)
            ended = new == eos_id
            masks.append(running if with_end else running & ~ended)
            found.append(log_p * masks[-1] if zero else log_p)
            tokens = torch.cat([tokens, new[:, None]], 1)
            running = alive(running, ended)
        mask, log_probs = torch.stack(masks, -1), torch.stack(found, -1)
        mask = mask if mask_ends else torch.ones_like(mask)
        places = (place, place_mask or place, place_mask or place)
        return tuple(f(x, len(prompts), group_size) for f, x in zip(places, (tokens, mask, log_probs), strict=True))

    return sample_group


def _with_graph(model, prompts, group_size, max_new_tokens, temperature, eos_id, generator=None):
    tokens, mask, log_probs = _of()(model, prompts, group_size, max_new_tokens, temperature, eos_id, generator)
    return tokens, mask, log_probs.requires_grad_()


SAMPLE_GROUP = Exercise(
    name="sample_group",
    points=3,
    reference=reference.sample_group,
    cases=(
        Case("certain paths", lambda draw: [*paths(draw), 3, 4], call=certain),
        Case("all end at once", lambda draw: [draw.integers(0, 3, 2, 3), torch.full((5, 7), END), 2, 4], call=certain),
        Case(
            "shares of the draws",
            lambda draw: [draw.normal(4), draw.choice([0.5, 2.0]), 2000, draw.integer(0, 999)],
            call=shares,
            holds=near_softmax,
        ),
        Case(
            "random ones",
            lambda draw: [*story(draw), 6, 5, draw.choice([0.6, 1.7]), draw.integer(0, 999)],
            expected=lambda *given: {"fault": True},
            call=told,
        ),
        Case(
            "the generator",
            lambda draw: [*story(draw), 8, 6, 1.0, draw.integer(0, 999)],
            expected=lambda *given: {"equal seeds": True, "other seeds": False},
            call=repeated,
        ),
    ),
    mistakes=(
        Mistake(
            "groups_mixed",
            "samples of different prompts share a group. Which way of repeating keeps a prompt's copies together?",
            _of(repeat=lambda p, g: p.repeat(g, 1)),
        ),
        Mistake(
            "tokens_after_the_end",
            "tokens after the end are counted in mask. Where does a completion end?",
            _of(alive=lambda running, ended: running, fill=False),
        ),
        Mistake(
            "mask_never_ends",
            "mask is True everywhere, so the tokens that fill the budget are counted. Where does a completion end?",
            _of(mask_ends=False),
        ),
        Mistake(
            "end_not_counted",
            "the first end token is not in mask, so the model never learns to end. Up to which token is mask True?",
            _of(with_end=False),
        ),
        Mistake(
            "written_on",
            "after the end other tokens follow. What should stand there?",
            _of(fill=False),
        ),
        Mistake(
            "temperature_one",
            "log_probs belong to temperature 1, the draws do not. From which distribution were the tokens drawn?",
            _of(kept=lambda logits, temperature: logits),
        ),
        Mistake(
            "no_temperature",
            "temperature changes nothing. What does it divide?",
            _of(scores=lambda logits, temperature: logits, kept=lambda logits, temperature: logits),
        ),
        Mistake(
            "multiplied",
            "you multiply by the temperature. Does a high one make the draws more alike or less?",
            _of(
                scores=lambda logits, temperature: logits * temperature,
                kept=lambda logits, temperature: logits * temperature,
            ),
        ),
        Mistake(
            "not_zero_after_the_end",
            "log_probs after the end are not 0. Where mask is False, what should they be?",
            _of(zero=False),
        ),
        Mistake(
            "end_in_the_prompt",
            "an end token in the prompt stops the completion before it begins. Which ends count?",
            _of(prompt_ends=lambda ends: ends.any(1)),
        ),
        Mistake(
            "prompt_that_ends_with_it",
            "a prompt whose last token is the end token gets no completion. Which ends count?",
            _of(prompt_ends=lambda ends: ends[:, -1]),
        ),
        Mistake(
            "greedy", "the likeliest token is always taken. What makes the members of a group differ?", _of(greedy=True)
        ),
        Mistake(
            "first_scores",
            "you read the scores at the first position. Which position knows the whole text?",
            _of(last=0),
        ),
        Mistake(
            "reshaped_the_other_way",
            "the result has groups and prompts in the wrong order. Which axis is first?",
            _of(place=lambda x, p, g: x.view(g, p, *x.shape[1:]).transpose(0, 1)),
        ),
        Mistake(
            "mask_in_another_order",
            "mask and log_probs belong to other samples than tokens do. In which order do prompts and groups lie in "
            "each of the three?",
            _of(place_mask=lambda x, p, g: x.view(g, p, *x.shape[1:]).transpose(0, 1)),
        ),
        Mistake(
            "generator_ignored",
            "equal generators give other samples. Which argument of torch.multinomial takes yours?",
            _of(own_generator=False),
        ),
        Mistake(
            "gradient_left",
            "log_probs carry a gradient. Which policy are they: the one that is trained, or the one that sampled?",
            _with_graph,
        ),
    ),
)
