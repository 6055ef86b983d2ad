"""The references of chapter 01 against torch, slow loops and finite differences."""

import doctest
import math

import pytest
import torch
import torch.nn.functional as F

from tests.package.draws import normal
from tformer_course.models import attention as A


def test_doctests_hold():
    assert doctest.testmod(A).failed == 0


def loop_additive(query, keys, values, w_query, w_key, v, mask):
    contexts, rows = [], []
    for b in range(query.shape[0]):
        scores = [
            sum(v[h] * math.tanh(float(query[b] @ w_query[:, h] + keys[b, j] @ w_key[:, h])) for h in range(v.shape[0]))
            for j in range(keys.shape[1])
        ]
        powers = [math.exp(s) if mask[b, j] else 0.0 for j, s in enumerate(scores)]
        total = sum(powers) or 1.0
        rows.append(torch.tensor([p / total for p in powers], dtype=query.dtype))
        contexts.append(sum(w * x for w, x in zip(rows[-1], values[b], strict=True)))
    return torch.stack(contexts), torch.stack(rows)


def test_additive_attention_equals_a_loop_also_with_an_empty_row():
    query, keys, values = normal(3, 4), normal(3, 5, 6, seed=1), normal(3, 5, 2, seed=2)
    weights = normal(4, 7, seed=3), normal(6, 7, seed=4), normal(7, seed=5)
    mask = torch.tensor([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]).bool()
    got = A.additive_attention(query, keys, values, *weights, mask)
    for a, e in zip(got, loop_additive(query, keys, values, *weights, mask), strict=True):
        torch.testing.assert_close(a, e)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
def test_scaled_dot_product_attention_equals_torch(lead, dtype):
    q, k, v = normal(*lead, 5, 4, dtype=dtype), normal(*lead, 7, 4, seed=1, dtype=dtype), normal(*lead, 7, 3, seed=2)
    v = v.to(dtype)
    mask = normal(5, 7, seed=3) > -0.5
    mask[2] = False
    output, weights = A.scaled_dot_product_attention(q, k, v, mask)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
    assert weights.dtype == output.dtype == dtype
    assert (weights[..., 2, :] == 0).all()


def test_gradients_with_an_empty_row_equal_finite_differences():
    q, k, v = (normal(2, 3, 2, seed=s).requires_grad_() for s in range(3))
    mask = torch.tensor([[True, True, False], [False, False, False], [True, True, True]])
    assert torch.autograd.gradcheck(lambda *x: A.scaled_dot_product_attention(*x, mask), (q, k, v))


def test_weights_are_finite_for_large_scores():
    weights = A.masked_softmax(torch.tensor([1000.0, -1000.0, 999.0]))
    torch.testing.assert_close(weights, torch.tensor([0.7310586, 0.0, 0.2689414]))


@pytest.mark.parametrize(
    "call",
    [
        lambda: A.scaled_dot_product_attention(normal(2, 3), normal(2, 4), normal(2, 4)),
        lambda: A.scaled_dot_product_attention(normal(2, 3), normal(5, 3), normal(4, 4)),
        lambda: A.scaled_dot_product_attention(normal(2, 3), normal(5, 3), normal(5, 4), torch.ones(2, 5)),
        lambda: A.scaled_dot_product_attention(normal(2, 3), normal(5, 3), normal(5, 4), torch.ones(2, 4).bool()),
        lambda: A.additive_attention(
            normal(2, 3), normal(2, 4, 3), normal(2, 5, 3), normal(3, 2), normal(3, 2), normal(2)
        ),
        lambda: A.padding_mask(torch.tensor([4]), 3),
        lambda: A.padding_mask(torch.tensor([[1]]), 3),
        lambda: A.layer_cost("mlp", 4, 4),
        lambda: A.layer_cost("cnn", 4, 4, kernel=4),
        lambda: A.score_variance(4, 1),
        lambda: A.softmax_jacobian_norm(normal(2, 2)),
        lambda: A.permutation_gap(lambda x: x, normal(1, 4, 2), torch.arange(3)),
    ],
)
def test_bad_arguments_give_a_value_error_that_names_them(call):
    with pytest.raises(ValueError, match=r"\d|mask is|kind is"):
        call()


def test_masks():
    for n in (1, 4):
        assert A.causal_mask(n).tolist() == [[j <= i for j in range(n)] for i in range(n)]
    got = A.padding_mask(torch.tensor([0, 2, 3], dtype=torch.int32), 3)
    assert got.shape == (3, 1, 1, 3)
    assert got[:, 0, 0].tolist() == [[j < length for j in range(3)] for length in (0, 2, 3)]


def test_score_variance_is_d_and_repeats_with_its_generator():
    for d in (1, 16, 256):
        assert A.score_variance(d, 20_000, torch.Generator().manual_seed(0)) == pytest.approx(d, rel=0.1)
    twice = [A.score_variance(8, 50, torch.Generator().manual_seed(3)) for _ in range(2)]
    assert twice[0] == twice[1]


def test_jacobian_norm_equals_finite_differences():
    scores, step = normal(6), 1e-6
    columns = [
        (torch.softmax(scores + e, 0) - torch.softmax(scores - e, 0)) / (2 * step)
        for e in step * torch.eye(6, dtype=torch.float64)
    ]
    assert A.softmax_jacobian_norm(scores) == pytest.approx(float(torch.stack(columns).norm()), rel=1e-6)
    assert A.softmax_jacobian_norm(torch.tensor([1000.0, -1000.0])) == 0.0


def test_permutation_gap_is_zero_for_attention_and_not_under_a_causal_mask():
    x, perm = normal(2, 6, 4), torch.tensor([2, 0, 1, 5, 3, 4])
    assert A.permutation_gap(lambda x: A.scaled_dot_product_attention(x, x, x)[0], x, perm) < 1e-12
    assert A.permutation_gap(lambda x: A.scaled_dot_product_attention(x, x, x, A.causal_mask(6))[0], x, perm) > 0.1


@pytest.mark.parametrize("kernel", [3, 5, 7])
@pytest.mark.parametrize("n", [2, 3, 10, 33])
def test_cnn_path_is_the_number_of_layers_until_the_ends_meet(n, kernel):
    one_layer = torch.tensor([[abs(i - j) <= kernel // 2 for j in range(n)] for i in range(n)]).double()
    reached, layers = torch.eye(n, dtype=torch.float64), 0
    while reached[0, -1] == 0:
        reached, layers = ((reached @ one_layer) > 0).double(), layers + 1
    assert A.layer_cost("cnn", n, 4, kernel)["path_length"] == layers


def test_costs_meet_at_the_crossover():
    for d in (7, 64):
        n = A.crossover_length(d)
        assert A.layer_cost("attention", n, d)["flops"] == A.layer_cost("rnn", n, d)["flops"]


@pytest.mark.parametrize("n", [1, 2, 3, 64, 511, 512])
def test_previous_token_gets_the_weight(n):
    q, k = A.previous_token_scores(n)
    assert q.isfinite().all() and k.isfinite().all() and q.shape == k.shape and q.shape[0] == n
    _, weights = A.scaled_dot_product_attention(q, k, k, A.causal_mask(n))
    assert n == 1 or float(weights.diagonal(-1).min()) >= 0.99
