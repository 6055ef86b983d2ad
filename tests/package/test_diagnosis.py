"""The diagnosis: its numbers against closed forms, and flags only for heads that differ from their model's others."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import torch

from tformer_course.viz.diagnosis import diagnose_attention, robust_z
from tformer_course.viz.figure import png_bytes


def healthy(num_layers: int = 4, num_heads: int = 6, n: int = 8, seed: int = 0, **options) -> torch.Tensor:
    """Attention of a model whose heads are all alike, `(L, H, n, n)`."""
    scores = torch.randn(
        num_layers, num_heads, n, n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    )
    return torch.softmax(scores, -1).requires_grad_(options.get("grad", False))


def flagged(diagnosis) -> set[tuple[int, int, str]]:
    return {(found.layer, found.head, found.metric) for found in diagnosis.outliers}


def test_closed_forms():
    uniform, identity, first = torch.full((8, 8), 1 / 8), torch.eye(8), torch.eye(8)[:1].expand(8, 8)
    metrics = diagnose_attention(torch.stack([uniform, identity, first])[None]).metrics
    assert np.allclose(metrics["entropy"], [[1, 0, 0]])
    assert np.allclose(metrics["effective_rank"], [[1, 8, 1]])
    assert np.allclose(metrics["saturation"], [[0, 1, 1]])
    assert np.allclose(metrics["sink_mass"], [[1 / 8, 1 / 8, 1]])
    assert "gradient_share" not in metrics


def test_causal_rows_are_judged_by_what_they_can_see():
    causal = torch.tril(torch.ones(6, 6)) / torch.arange(1, 7)[:, None]
    metrics = diagnose_attention(causal[None, None].expand(1, 2, 6, 6)).metrics
    assert np.allclose(metrics["entropy"], 1)  # as even as can be
    assert np.allclose(metrics["saturation"], 0)  # the first row has no choice and does not count


def test_padding_mask_is_honoured():
    weights = torch.zeros(1, 1, 4, 4)
    weights[..., :2] = 0.5
    mask = torch.tensor([True, True, False, False])
    assert diagnose_attention([weights], mask=mask).metrics["entropy"][0, 0] == pytest.approx(1)
    assert diagnose_attention([weights]).metrics["entropy"][0, 0] == pytest.approx(0.5)


def test_samples_are_averaged():
    one, two = torch.full((1, 1, 4, 4), 0.25), torch.eye(4)[None, None]
    metrics = diagnose_attention([torch.cat([one, two])]).metrics
    assert metrics["entropy"][0, 0] == pytest.approx(0.5)
    assert metrics["effective_rank"][0, 0] == pytest.approx(2.5)


def test_a_collapsed_head_stands_out():
    weights = healthy()
    weights[2, 3] = torch.eye(8)[:1]
    found = flagged(diagnose_attention(weights))
    assert {(2, 3, "entropy"), (2, 3, "sink_mass"), (2, 3, "saturation"), (2, 3, "effective_rank")} <= found
    assert {(layer, head) for layer, head, _ in found} == {(2, 3)}


def test_the_same_head_is_normal_in_a_model_of_its_kind():
    """A fixed threshold would flag all of these."""
    weights = torch.eye(8)[:1].expand(4, 6, 8, 8)
    assert diagnose_attention(weights).outliers == []


def test_a_healthy_model_has_few_flags():
    counts = [len(diagnose_attention(healthy(6, 12, 16, seed=seed)).outliers) for seed in range(3)]
    assert max(counts) <= 0.02 * 6 * 12 * 4 + 1


def test_few_heads_are_not_judged():
    weights = healthy(1, 4)
    weights[0, 0] = torch.eye(8)
    assert diagnose_attention(weights).outliers == []


def test_gradient_share_is_that_of_the_loss():
    layers = [healthy(1, 6, seed=seed, grad=True) for seed in range(4)]
    loss = 3 * layers[1][0, 2].sum() + layers[0].sum() * 1e-12 + layers[2].sum() * 1e-12 + layers[3][0, 5].sum()
    diagnosis = diagnose_attention(layers, loss)
    share = diagnosis.metrics["gradient_share"]
    assert share.sum() == pytest.approx(1)
    assert (share[1, 2], share[3, 5]) == (pytest.approx(0.75), pytest.approx(0.25))
    assert (1, 2, "gradient_share") in flagged(diagnosis)
    assert all(layer.grad is None for layer in layers)
    loss.backward()  # the graph is still there
    stacked = healthy(grad=True)
    assert diagnose_attention(stacked, stacked[0, 1].sum()).metrics["gradient_share"][0, 1] == pytest.approx(1)


def test_robust_z_of_known_numbers():
    assert robust_z(np.array([0.0, 1, 2, 3, 4]))[4] == pytest.approx(2 / 1.4826)
    assert robust_z(np.array([5.0, 5, 5])).tolist() == [0, 0, 0]
    assert robust_z(np.array([0.0] * 9 + [1]))[9] == pytest.approx(10 / 1.2533)


def test_table_and_picture_show_the_flags():
    weights = healthy()
    weights[2, 3] = torch.eye(8)[:1]
    diagnosis = diagnose_attention(weights)
    lines = diagnosis.table().splitlines()
    assert len(lines) == 1 + 4 * 6 + 1
    assert "▼" in lines[1 + 2 * 6 + 3] and "▲" in lines[1 + 2 * 6 + 3]
    assert len(diagnosis.table(flagged_only=True).splitlines()) == 3
    assert str(diagnosis).startswith("1 of 24 heads stand out")
    figure = diagnosis.plot(alt="head 3 of layer 2 looks at the first token only")
    assert figure.alt_text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        png_bytes(figure)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: diagnose_attention([]), "0 layers"),
        (lambda: diagnose_attention([None]), "eager"),
        (lambda: diagnose_attention([torch.rand(3, 3)]), "2 axes, expected 4"),
        (
            lambda: diagnose_attention([torch.rand(1, 2, 3, 3), torch.rand(1, 3, 3, 3)]),
            r"\(1, 3, 3, 3\).*\(1, 2, 3, 3\)",
        ),
        (lambda: diagnose_attention(healthy() * math.nan), "NaN"),
        (lambda: diagnose_attention(healthy(), mask=torch.ones(7, dtype=torch.bool)), r"\(7,\).*\(1, 6, 8, 8\)"),
        (lambda: diagnose_attention(healthy(grad=True), torch.ones(2)), "2 elements, expected 1"),
        (lambda: diagnose_attention([healthy(grad=True)], torch.ones((), requires_grad=True)), "layer 0"),
        (lambda: diagnose_attention([healthy()], torch.ones((), requires_grad=True)), "layer 0 carry no gradient"),
        (lambda: diagnose_attention([healthy(grad=True)], torch.ones(())), "loss has no gradient"),
    ],
)
def test_wrong_arguments_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
