"""nsp_pairs."""

from __future__ import annotations

import torch

from ...models.families import objectives as reference
from ..core.exercise import Case, Exercise, Mistake


def numbered(lengths):
    """Documents whose sentence i of document d is the number 1000·d + i."""
    return [[1000 * d + i for i in range(length)] for d, length in enumerate(lengths)]


def _seeded(seed):
    return torch.Generator().manual_seed(seed)


def _facts(answer, lengths, seed):
    """Shares that say where the pairs come from, over 30 calls."""
    documents = numbered(lengths)
    generator = _seeded(seed)
    calls = [[(a, b, bool(n)) for a, b, n in answer(documents, generator)] for _ in range(30)]
    pairs = [pair for call in calls for pair in call]
    firsts = [first for first, _, _ in calls[0]]
    true = [(a, b) for a, b, is_next in pairs if is_next]
    false = [(a, b) for a, b, is_next in pairs if not is_next]
    mixed = [call for call in calls if len({n for _, _, n in call}) > 1]

    def share(found):
        return sum(found) / len(found) if found else 0.0

    return {
        "pairs": len(calls[0]),
        "one per sentence with a successor": sorted(firsts) == [s for d in documents for s in d[:-1]],
        "in document order": firsts == sorted(firsts),
        "is_next": share([n for call in mixed for _, _, n in call]) if mixed else 0.5,
        "pairs that differ from the one before": share([x[2] != y[2] for x, y in zip(pairs, pairs[1:], strict=False)]),
        "calls with one label for all": 1 - len(mixed) / len(calls),
        "successors among the true ones": share([b == a + 1 for a, b in true]),
        "successors among the false ones": share([b == a + 1 for a, b in false]),
        "false ones from the same document": share([b // 1000 == a // 1000 for a, b in false]),
        "different second sentences": min(len({b for _, b in false}) / 60, 1.0),
    }


def _right(lengths, seed):
    return {
        "pairs": sum(max(0, n - 1) for n in lengths),
        "one per sentence with a successor": True,
        "in document order": True,
        "is_next": 0.5,
        "pairs that differ from the one before": 0.5,
        "calls with one label for all": 0.0,
        "successors among the true ones": 1.0,
        "successors among the false ones": 0.0,
        "false ones from the same document": 0.0,
        "different second sentences": 1.0,
    }


def _strangers(answer, seed):
    """From which documents random second sentences come, per document, over many calls; and whether all of them do."""
    documents, generator = numbered([3, 2, 1, 3]), _seeded(seed)
    false = [(a, b) for _ in range(300) for a, b, is_next in answer(documents, generator) if not is_next]
    seen = [{b for a, b in false if a in document} for document in documents]
    every = [{s for e, other in enumerate(documents) if e != d for s in other} for d in range(4)]
    return [
        [sorted({b // 1000 for b in found}) for found in seen],
        all(found == wanted for d, (found, wanted) in enumerate(zip(seen, every, strict=True)) if d != 2),
    ]


def refuses(answer):
    """How it answers to a single document."""
    try:
        answer([["a", "b", "c"]])
    except ValueError:
        return "ValueError"
    return "no ValueError"


def _repeats(answer, seed):
    documents = [["a", "b", "c", "d", "e", "f", "g", "h"], ["u", "v", "w", "x"], ["z"]]
    plain = [[list(pair) for pair in answer(documents, _seeded(s))] for s in (seed, seed, *range(seed + 1, seed + 9))]
    return [plain[0] == plain[1], any(p != plain[0] for p in plain[2:])]


def wrong(second: str = "right", label: str = "right", coin: str = "right", firsts: str = "right", check: bool = True):
    """An nsp_pairs; each argument says what is wrong in one respect."""

    def nsp_pairs(documents, generator=None):
        if check and len(documents) < 2:
            raise ValueError(len(documents))
        generator = None if coin == "generator_ignored" else generator

        def below(n):
            return int(torch.randint(0, n, (), generator=generator))

        pairs, turn = [], 0
        whole = below(2) == 1
        for index, document in enumerate(documents):
            others = [s for i, d in enumerate(documents) if i != index for s in d]
            everything = [s for d in documents for s in d]
            pool = {
                "same": document,
                "any": everything,
                "next": documents[(index + 1) % len(documents)],
                "earlier": [s for d in documents[:index] for s in d] or others,
            }.get(second, others or everything)
            last = len(document) - 1
            steps = {"right": range(last), "every_second": range(0, last, 2), "all": range(len(document))}[firsts]
            for i in steps:
                turn += 1
                heads = {"alternate": turn % 2 == 1, "whole": whole, "always": True, "biased": below(4) > 0}
                is_next = heads.get(coin, below(2) == 1)
                follower = document[i + 1] if i < last else document[0]
                fixed = others[0] if others else document[0]
                drawn = pool[below(len(pool))] if second != "first" else fixed
                shown = {"flipped": not is_next, "always_true": True}.get(label, is_next)
                pairs.append((document[i], follower if is_next else drawn, shown))
        return pairs

    return nsp_pairs


def _shuffled(documents, generator=None):
    pairs = wrong()(documents, generator)
    return [pairs[i] for i in torch.randperm(len(pairs), generator=generator)]


def _both(documents, generator=None):
    """Each sentence gives two pairs, a true and a false one."""
    true = wrong(coin="always")(documents, generator)
    others = [[s for i, d in enumerate(documents) if i != index for s in d] for index in range(len(documents))]
    owner = [index for index, d in enumerate(documents) for _ in d[:-1]]
    pairs = []
    for index, (first, second, _) in zip(owner, true, strict=True):
        random = others[index][int(torch.randint(0, len(others[index]), (), generator=generator))]
        pairs += [(first, second, True), (first, random, False)]
    return pairs


NSP_PAIRS = Exercise(
    name="nsp_pairs",
    points=1,
    reference=reference.nsp_pairs,
    cases=(
        Case(
            "pairs, coins, second sentences",
            lambda draw: [[draw.integer(12, 25) for _ in range(4)] + [1], draw.integer(0, 10**6)],
            _right,
            call=_facts,
            tol=0.08,
        ),
        Case("a single document", lambda draw: [], lambda: "ValueError", call=refuses),
        Case(
            "random sentences",
            lambda draw: [draw.integer(0, 10**6)],
            lambda seed: [[[1, 2, 3], [0, 2, 3], [], [0, 1, 2]], True],
            call=_strangers,
        ),
        Case("generator", lambda draw: [draw.integer(0, 10**6)], lambda seed: [True, True], call=_repeats),
    ),
    mistakes=(
        Mistake(
            "same_document",
            "your random second sentence comes from the same document. From where should it be drawn?",
            wrong(second="same"),
        ),
        Mistake(
            "any_document",
            "your random second sentence may come from the same document. Which document must be left out?",
            wrong(second="any"),
        ),
        Mistake(
            "labels_flipped",
            "is_next is True for the random pairs. What does the name promise?",
            wrong(label="flipped"),
        ),
        Mistake(
            "label_always_true",
            "is_next is True for every pair, also for random ones. What should it be there?",
            wrong(label="always_true"),
        ),
        Mistake(
            "always_next", "every pair is a real one. When is the second sentence a random one?", wrong(coin="always")
        ),
        Mistake(
            "alternates",
            "real and random pairs alternate, so a model can guess by counting. What decides for each pair?",
            wrong(coin="alternate"),
        ),
        Mistake(
            "one_coin_for_all",
            "one coin decides for all pairs. How many coins does the list need?",
            wrong(coin="whole"),
        ),
        Mistake(
            "unfair_coin",
            "your coin is not fair: about three of four pairs are real. Which share should they have?",
            wrong(coin="biased"),
        ),
        Mistake(
            "every_second_sentence",
            "you jump over every second sentence. Which sentences have a successor?",
            wrong(firsts="every_second"),
        ),
        Mistake(
            "last_sentence_too",
            "the last sentence of a document gives a pair too, without a successor. Where must the loop end?",
            wrong(firsts="all"),
        ),
        Mistake("shuffled", "your pairs come in another order. In which order are they asked for?", _shuffled),
        Mistake("two_pairs_per_sentence", "each sentence gives two pairs. How many does the exercise ask for?", _both),
        Mistake(
            "always_the_same_second",
            "your random sentence is always the first of another document. How is it drawn?",
            wrong(second="first"),
        ),
        Mistake(
            "next_document_only",
            "your random sentence always comes from the next document. From which ones may it come?",
            wrong(second="next"),
        ),
        Mistake(
            "earlier_documents_only",
            "your random sentence always comes from an earlier document. From which ones may it come?",
            wrong(second="earlier"),
        ),
        Mistake(
            "single_document_accepted",
            "with a single document there is no random second sentence. What should the caller read?",
            wrong(check=False),
        ),
        Mistake(
            "generator_ignored",
            "the same generator gives different pairs. Which functions must receive it?",
            wrong(coin="generator_ignored"),
        ),
    ),
)
