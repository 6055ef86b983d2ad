"""mask_tokens."""

from __future__ import annotations

import torch

from ...models.families import objectives as reference
from ..core.exercise import Case, Exercise, Mistake

MASK_ID, SPECIAL = 3, (0, 1, 2)


def text(draw, rows: int, columns: int, vocab: int):
    """Random tokens, of which roughly a fifth are special."""
    tokens = draw.integers(4, vocab - 1, rows, columns)
    return torch.where(draw.uniform(rows, columns) < 0.2, draw.integers(0, 2, rows, columns), tokens)


def _seeded(seed):
    return torch.Generator().manual_seed(seed)


def _share(hits, of):
    return float(hits[of].double().mean()) if bool(of.any()) else 0.0


def _facts(answer, tokens, vocab, p, seed):
    """Shares that say what was chosen, and what became of it; scaled so that one tolerance fits all."""
    inputs, labels = answer(tokens, MASK_ID, vocab, SPECIAL, p, _seeded(seed))
    special = tokens < 3
    labelled = labels != -100
    changed = inputs != tokens
    masked = inputs == MASK_ID
    replaced = labelled & changed & ~masked
    words = inputs[replaced].double()
    near = [_share(inputs.roll(1, axis) == inputs, replaced & replaced.roll(1, axis)) for axis in (0, 1)]
    count = labelled[~special].numel() * p * (1 - p)
    per_row = (labelled & ~special).sum(1).double() - p * (~special).sum(1)
    return {
        "dtypes": [str(inputs.dtype), str(labels.dtype)],
        "chosen": 3 * _share(labelled, ~special) / max(p, 0.3),
        "chosen special": _share(labelled | changed, special),
        "labels that are not the token": _share(labels != tokens, labelled),
        "changed without a label": _share(changed, ~labelled),
        "became [MASK]": _share(masked, labelled),
        "became another word": _share(replaced, labelled),
        "lower half of the vocabulary": _share(words < vocab / 2, words >= 0),
        "random words are those of a neighbour": [share > 0.3 for share in near],
        "spread over rows": 0.2 * float(per_row.square().sum()) / count if count else 0.0,
    }


def _right(tokens, vocab, p, seed):
    share = 3 * p / max(p, 0.3)
    return {
        "dtypes": ["torch.int64", "torch.int64"],
        "chosen": share,
        "chosen special": 0.0,
        "labels that are not the token": 0.0,
        "changed without a label": 0.0,
        "became [MASK]": 0.8 + 0.1 / vocab,
        "became another word": 0.1 * (1 - 2 / vocab),
        "lower half of the vocabulary": 0.5,
        "random words are those of a neighbour": [False, False],
        "spread over rows": 0.2 if p < 1 else 0.0,
    }


def _draws(answer, tokens, seed):
    """What the generator decides: the same seed twice, another seed, and an iterator of special tokens."""
    first, same = (answer(tokens, MASK_ID, 60, [0, 1, 2], 0.3, _seeded(seed)) for _ in range(2))
    again = answer(tokens, MASK_ID, 60, iter((0, 1, 2)), 0.3, _seeded(seed))
    other = answer(tokens, MASK_ID, 60, {0, 1, 2}, 0.3, _seeded(seed + 1))
    none, others = (answer(tokens, MASK_ID, 60, [], 1.0, _seeded(s)) for s in (seed, seed + 1))
    masks = [inputs == MASK_ID for inputs, _ in (none, others)]
    return [
        all(torch.equal(a, b) for a, b in zip(first, same, strict=True)),
        all(torch.equal(a, b) for a, b in zip(first, again, strict=True)),
        not torch.equal(first[1], other[1]),
        torch.equal(none[1], tokens),
        float((masks[0] == masks[1]).double().mean()) < 0.9,  # 0.68 is expected
        float(masks[0].double().mean()) < 0.95,
    ]


def wrong(
    specials: str = "right",
    labels: str = "right",
    fate: str = "right",
    words: str = "right",
    draw: str = "right",
    scale: float = 1.0,
):
    """A mask_tokens; each argument says what is wrong in one respect."""

    def mask_tokens(tokens, mask_id, vocab_size, special_ids, p=0.15, generator=None):
        ids = [i for i in special_ids if i in special_ids] if specials == "read_twice" else list(special_ids)
        special = torch.isin(tokens, torch.tensor(ids, dtype=tokens.dtype))
        if specials == "chosen":
            special = torch.zeros_like(special)
        generator = None if draw == "generator_ignored" else generator
        chance = torch.rand(tokens.shape, generator=generator)
        chosen = chance < p * scale
        if draw == "exact_count":
            rank = chance.masked_fill(special, 2.0).argsort(-1).argsort(-1)
            chosen = rank < ((~special).sum(-1, keepdim=True) * p).round()
        elif draw == "one_per_row":
            chosen = (torch.rand(len(tokens), 1, generator=generator) < p).expand_as(tokens)
        chosen = chosen & ~special
        if draw == "at_least_one":
            chosen[..., 0] |= ~chosen.any(-1) & ~special[..., 0]
        bounds = {"right": (0.8, 0.9), "always": (2, 2), "no_words": (0.8, 0.8), "never_kept": (0.8, 1)}
        low, high = bounds[fate]
        u = torch.rand(tokens.shape, generator=_seeded(0) if draw == "fixed_fate" else generator)
        last = vocab_size // 2 if words == "half" else vocab_size
        word = torch.randint(0, last, tokens.shape, generator=generator)
        word = word[..., :1].expand_as(word) if words == "one_per_row" else word
        inputs = torch.where(chosen & (u < low), mask_id, tokens)
        inputs = torch.where(chosen & (u >= low) & (u < high), word, inputs)
        wanted = {
            "right": torch.where(chosen, tokens, -100),
            "everywhere": tokens.clone(),
            "zero": torch.where(chosen, tokens, 0),
            "inputs": torch.where(chosen, inputs, -100),
            "masked_only": torch.where(inputs == mask_id, tokens, -100),
            "swapped": torch.where(chosen, -100, tokens),
        }[labels]
        return inputs, wanted

    return mask_tokens


MASK_TOKENS = Exercise(
    name="mask_tokens",
    points=1.5,
    reference=reference.mask_tokens,
    cases=(
        Case(
            "what is chosen, and what becomes of it",
            lambda draw: [text(draw, 6000, 20, 1000), 1000, 0.3, draw.integer(0, 10**6)],
            _right,
            call=_facts,
            tol=0.03,
        ),
        Case(
            "the default p",
            lambda draw: [text(draw, 6000, 20, 1000), 1000, draw.integer(0, 10**6)],
            lambda tokens, vocab, seed: 0.5,
            call=lambda answer, tokens, vocab, seed: float(
                (answer(tokens, MASK_ID, vocab, SPECIAL, generator=_seeded(seed))[1] != -100)[tokens > 3]
                .double()
                .mean()
                / 0.3
            ),
            tol=0.03,
        ),
        Case(
            "few in short rows",
            lambda draw: [draw.integers(4, 299, 20_000, 8), 0.02, draw.integer(0, 10**6)],
            lambda tokens, p, seed: 0.5,
            call=lambda answer, tokens, p, seed: (
                0.5 / p * float((answer(tokens, MASK_ID, 300, [0], p, _seeded(seed))[1] != -100).double().mean())
            ),
            tol=0.05,
        ),
        Case(
            "generator, special_ids",
            lambda draw: [text(draw, 20, 30, 60), draw.integer(0, 10**6)],
            lambda tokens, seed: [True] * 6,
            call=_draws,
        ),
    ),
    mistakes=(
        Mistake(
            "special_chosen",
            "special tokens are chosen too. Which tokens must never be hidden?",
            wrong(specials="chosen"),
        ),
        Mistake(
            "at_least_one",
            "too many tokens are chosen where rows are short. May a row have none?",
            wrong(draw="at_least_one"),
        ),
        Mistake(
            "labels_everywhere",
            "your labels hold every token, so the loss also counts words that the model can see. Where should −100 be?",
            wrong(labels="everywhere"),
        ),
        Mistake(
            "always_mask",
            "every chosen token becomes [MASK]. What happens to the other 20 %?",
            wrong(fate="always"),
        ),
        Mistake(
            "no_random_words",
            "no chosen token becomes a random word. What happens to 10 % of them?",
            wrong(fate="no_words"),
        ),
        Mistake(
            "never_kept",
            "no chosen token keeps its word: 20 % become random words. What happens to the last 10 %?",
            wrong(fate="never_kept"),
        ),
        Mistake(
            "labels_from_inputs",
            "your labels are taken after the tokens were replaced. Which word should the model find?",
            wrong(labels="inputs"),
        ),
        Mistake(
            "labels_at_masks_only",
            "only tokens that became [MASK] have a label. Does the loss count the random and the kept words?",
            wrong(labels="masked_only"),
        ),
        Mistake(
            "labels_swapped",
            "your labels are −100 exactly where the model should predict. Which positions does the loss leave out?",
            wrong(labels="swapped"),
        ),
        Mistake(
            "zero_for_minus_hundred",
            "your labels are 0 where nothing is asked, and 0 is a token. Which number does the loss leave out?",
            wrong(labels="zero"),
        ),
        Mistake(
            "eighty_percent_of_p",
            "only 80 % of p are chosen. Of what are 80, 10 and 10 % taken?",
            wrong(scale=0.8),
        ),
        Mistake(
            "exact_count",
            "every row gets the same share of chosen tokens. Who flips the coin: the row or each token?",
            wrong(draw="exact_count"),
        ),
        Mistake(
            "one_coin_per_row",
            "a row is chosen as a whole or not at all. Who flips the coin: the row or each token?",
            wrong(draw="one_per_row"),
        ),
        Mistake(
            "words_from_half",
            "your random words do not come from the whole vocabulary. What are the two ends of torch.randint?",
            wrong(words="half"),
        ),
        Mistake(
            "one_word_per_row",
            "all random words of a row are the same one. How many words must be drawn?",
            wrong(words="one_per_row"),
        ),
        Mistake(
            "fate_not_from_the_generator",
            "another generator chooses other tokens, but what becomes of a position stays the same. Which draws need "
            "the generator?",
            wrong(draw="fixed_fate"),
        ),
        Mistake(
            "special_ids_read_twice",
            "special_ids may be an iterator, and yours is read more than once. How is it kept for later?",
            wrong(specials="read_twice"),
        ),
        Mistake(
            "generator_ignored",
            "the same generator gives different results. Which functions must receive it?",
            wrong(draw="generator_ignored"),
        ),
    ),
)
