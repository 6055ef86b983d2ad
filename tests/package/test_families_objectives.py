"""The training data of each family's objective, and the small models of chapter 05 that learn from them."""

import doctest
import math

import pytest
import torch

from tests.package.draws import seeded
from tformer_course.checks.families import spans
from tformer_course.models.families import objectives, tiny
from tformer_course.training import families as training


def test_doctests_hold():
    assert doctest.testmod(objectives).failed == 0


def test_masking_has_the_shares_of_the_paper():
    tokens = torch.randint(5, 1000, (200, 1000), generator=seeded(1))
    inputs, labels = objectives.mask_tokens(tokens, 4, 1000, {0, 1}, generator=seeded(2))
    chosen = labels != -100
    assert abs(chosen.double().mean() - 0.15) < 0.005
    assert torch.equal(labels[chosen], tokens[chosen]) and torch.equal(inputs[~chosen], tokens[~chosen])
    assert abs((inputs == 4)[chosen].double().mean() - 0.8) < 0.02
    assert abs((inputs == tokens)[chosen].double().mean() - 0.1) < 0.02


def test_special_tokens_are_never_chosen_and_any_iterable_names_them():
    tokens = torch.randint(0, 9, (50, 50), generator=seeded(1))
    for special in ([1, 2], {1, 2}, iter((1, 2)), range(1, 3)):
        inputs, labels = objectives.mask_tokens(tokens, 8, 9, special, p=1.0, generator=seeded(3))
        hit = torch.isin(tokens, torch.tensor([1, 2]))
        assert torch.equal(labels == -100, hit) and torch.equal(inputs[hit], tokens[hit])
    assert objectives.mask_tokens(tokens, 8, 9, [], p=0.0)[1].eq(-100).all()


def test_pairs_come_in_order_with_fair_coins_from_other_documents():
    documents = [[1000 * d + i for i in range(400)] for d in range(3)] + [[], [9999]]
    pairs = objectives.nsp_pairs(documents, seeded(0))
    assert [first for first, _, _ in pairs] == [s for d in documents for s in d[:-1]]
    assert all(
        (second == first + 1) if is_next else (second // 1000 != first // 1000) for first, second, is_next in pairs
    )
    assert abs(sum(n for _, _, n in pairs) / len(pairs) - 0.5) < 0.1


@pytest.mark.parametrize("documents", [[["a", "b"]], [["a", "b"], []]])
def test_pairs_need_another_document(documents):
    with pytest.raises(ValueError, match="document"):
        objectives.nsp_pairs(documents)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 57, 100])
@pytest.mark.parametrize(("density", "mean_span"), [(0.15, 3), (0.5, 1), (0.9, 1), (1.0, 2), (0.3, 50)])
def test_spans_have_every_property(n, density, mean_span):
    tokens, sentinels = torch.arange(n), list(range(200, 320))
    for seed in range(20):
        pair = objectives.span_corruption(tokens, sentinels, density, mean_span, seeded(seed))
        found = spans.examine(*pair, tokens, sentinels, density, mean_span)
        assert all(value == 1 for value in found.values()), found


def test_spans_reach_every_position_and_need_sentinels():
    pairs = [objectives.span_corruption(torch.arange(20), [90, 91, 92], generator=seeded(s)) for s in range(400)]
    assert bool((spans.hit_positions(pairs, 20) > 0).all())
    with pytest.raises(ValueError, match="4 sentinels, and there are 3"):
        objectives.span_corruption(torch.arange(60), [90, 91, 92])
    with pytest.raises(ValueError, match="0 tokens"):
        objectives.span_corruption(torch.arange(0), [90, 91])


def test_shifted_labels_score_the_next_token():
    tokens = torch.tensor([[5, 6, 7, 0, 0], [5, 6, 7, 8, 9]])
    inputs, labels = objectives.shift_labels(tokens, 0)
    assert inputs.tolist() == [[5, 6, 7, 0], [5, 6, 7, 8]]
    assert labels.tolist() == [[6, 7, -100, -100], [6, 7, 8, 9]]


def test_stories_tell_the_truth_and_each_objective_starts_at_guessing():
    rows = training.stories(50, seeded(1))
    assert rows.shape == (50, training.LENGTH) and training.true_stories(rows) == 1.0
    broken = rows.clone()
    broken[:25, training.SOUND_AT] = training.INDEX["fish"]
    assert training.true_stories(broken) == 0.5
    assert " ".join(training.sentences(rows[0])) == training.decode(rows[0])
    for kind in tiny.KINDS:
        loss = training.batch_loss(kind, tiny.tiny_model(kind, len(training.WORDS)), rows, seeded(2))
        assert abs(loss.item() - math.log(len(training.WORDS))) < 1.0


def test_a_tiny_gpt_cannot_see_the_future_and_a_tiny_bert_can():
    tokens = training.stories(1, seeded(1))
    other = tokens.clone()
    other[:, 12] = training.INDEX["dan"]
    for kind, sees in (("gpt", False), ("bert", True)):
        torch.manual_seed(0)
        model = tiny.tiny_model(kind, len(training.WORDS)).eval()
        with torch.no_grad():
            changed = not torch.equal(model(tokens)[:, :12], model(other)[:, :12])
        assert changed is sees
