"""The state spaces of chapter 07 against slow loops, matrix exponentials, autograd in float64, and transformers."""

import doctest
import importlib

import pytest
import torch
from torch.nn import functional as F

from tests.package.draws import Draws, normal
from tformer_course.checks.mamba_moe.watch import operations
from tformer_course.checks.mamba_moe.weights import block_weights, by_transformers, run_block, slow_block
from tformer_course.models import linear_attention
from tformer_course.models import mamba_moe as M
from tformer_course.training.mamba_moe import NOISE, READ, copying_batch, quick_convolution, quick_scan


def uniform(*shape, low=0.0, high=1.0, seed=0):
    draws = torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return low + (high - low) * draws


def scan_inputs(batch=2, length=9, channels=3, n=4):
    return (
        normal(batch, length, channels),
        uniform(batch, length, channels, low=0.05, high=1.5, seed=1),
        -uniform(channels, n, low=0.2, high=2.0, seed=2),
        normal(batch, length, n, seed=3),
        normal(batch, length, n, seed=4),
        normal(channels, seed=5),
    )


@pytest.mark.parametrize("name", ["ssm", "scan", "experts"])
def test_doctests_hold(name):
    assert doctest.testmod(importlib.import_module(f"tformer_course.models.mamba_moe.{name}")).failed == 0


# --- state spaces that do not change ---------------------------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.7, torch.tensor([[0.2], [1.3]], dtype=torch.float64)])
def test_discretize_is_the_matrix_exponential(delta):
    a, b = torch.tensor([-1.5, 0.0, 0.4, 1e-9], dtype=torch.float64), normal(4)
    a_bar, b_bar = M.discretize(a, b, delta)
    for step in torch.as_tensor(delta, dtype=torch.float64).reshape(-1):
        for n in range(4):  # exp of [[a, b], [0, 0]] δ holds ā and b̄ in its first row
            whole = torch.tensor([[a[n], b[n]], [0.0, 0.0]], dtype=torch.float64) * step
            row = torch.linalg.matrix_exp(whole)[0]
            mine = torch.stack([x.reshape(-1, 4)[:, n] for x in (a_bar, b_bar)], dim=-1)
            assert (mine - row).abs().sum(-1).min() < 1e-12


def test_discretize_keeps_values_and_gradients_near_zero():
    from fractions import Fraction

    for value in (0.0, 1e-14, -1e-9, 3e-4, 9.99e-4, 1.001e-3, -2e-3):
        a = torch.tensor([value], dtype=torch.float64, requires_grad=True)
        _, b_bar = M.discretize(a, torch.ones(1, dtype=torch.float64), 1.0)
        (slope,) = torch.autograd.grad(b_bar.sum(), a)
        z, exact, exact_slope, factorial = Fraction(value), Fraction(0), Fraction(0), 1
        for k in range(1, 20):
            factorial *= k
            exact += z ** (k - 1) / factorial
            exact_slope += (k - 1) * z ** (k - 2) / factorial if k > 1 else 0
        assert abs(b_bar.item() - float(exact)) < 1e-14
        assert abs(slope.item() - float(exact_slope)) < 1e-8


def test_convolution_is_the_recurrence_with_gradients():
    inputs = (uniform(4, low=0.2, high=0.98), normal(4), normal(4, seed=1), normal(2, 33, seed=2))
    assert torch.allclose(M.ssm_convolution(*inputs), M.ssm_recurrence(*inputs), rtol=0, atol=1e-12)
    assert torch.autograd.gradcheck(M.ssm_convolution, [x[..., :5].clone().requires_grad_() for x in inputs])
    assert len(operations(lambda: M.ssm_convolution(*inputs))) < 30


def test_hippo_is_lower_triangular_and_remembers_a_signal():
    matrix, drive = M.hippo_legs(16)
    assert torch.equal(matrix.triu(1), torch.zeros(16, 16)) and torch.equal(matrix.diagonal(), M.s4d_real(16))
    assert torch.allclose(drive.square(), 2 * torch.arange(16) + 1.0)
    time = torch.linspace(0, 1, 400, dtype=torch.float64)
    wave = torch.sin(9 * time) + 0.5 * torch.cos(17 * time)
    errors = [(M.legs_memory(wave, n) - wave).abs()[20:-20].max().item() for n in (4, 8, 16)]
    assert errors[0] > 0.5 and errors[1] < 0.5 and errors[2] < 0.05, errors


# --- scans -----------------------------------------------------------------------------------------------------------


def test_parallel_scan_equals_the_loop_to_ten_digits():
    inputs = scan_inputs(length=37)
    difference = (M.selective_scan_parallel(*inputs) - M.selective_scan(*inputs)).abs().max()
    assert difference < 1e-10


def values_and_gradients(scan, inputs):
    y = scan(*inputs)
    return y, *torch.autograd.grad((y * normal(*y.shape, seed=9)).sum(), inputs)


def test_scan_for_training_has_the_values_and_gradients_of_the_loop():
    inputs = [t.requires_grad_() for t in scan_inputs(length=11)]
    one, other = (values_and_gradients(scan, inputs) for scan in (quick_scan, M.selective_scan))
    assert all(torch.allclose(a, b, atol=1e-12) for a, b in zip(one, other, strict=True))


def test_convolution_for_training_has_the_values_and_gradients_of_the_loop():
    x, delta, a, b, c, d = (t.requires_grad_() for t in scan_inputs(length=11))
    fixed = [x, delta[:1, :1], a, b[:1, :1], c[:1, :1], d]  # the same at all positions and samples
    fixed = [t.detach().clone().requires_grad_() for t in fixed]

    def expanded(scan):
        def run(x, delta, a, b, c, d):
            delta, b, c = (t.expand(*x.shape[:2], -1) for t in (delta, b, c))
            return scan(x, delta, a, b, c, d)

        return values_and_gradients(run, fixed)

    one, other = expanded(quick_convolution), expanded(M.selective_scan)
    assert all(torch.allclose(a, b, atol=1e-10) for a, b in zip(one, other, strict=True))


def test_selective_scan_is_one_recurrence_per_channel():
    x, delta, a, b, c, d = scan_inputs()
    y = M.selective_scan(x, delta, a, b, c, d)
    for channel in range(3):
        h = torch.zeros(2, 4, dtype=torch.float64)
        for t in range(9):
            step = delta[:, t, channel, None]
            h = torch.exp(step * a[channel]) * h + step * b[:, t] * x[:, t, channel, None]
            assert torch.allclose(y[:, t, channel], (c[:, t] * h).sum(-1) + d[channel] * x[:, t, channel])


@pytest.mark.parametrize("length", [1, 2, 3, 8, 13])
def test_associative_scan_is_the_loop_also_at_zero(length):
    a, b = normal(2, length, 3), normal(2, length, 3, seed=1)
    a[:, length // 2] = 0
    h = torch.zeros(2, 3, dtype=torch.float64)
    states = M.associative_scan(a, b)
    for t in range(length):
        h = a[:, t] * h + b[:, t]
        assert torch.allclose(states[:, t], h)
    assert torch.autograd.gradcheck(M.associative_scan, [a.clone().requires_grad_(), b.clone().requires_grad_()])


def test_associative_scan_needs_logarithmically_many_operations():
    counts = [len(operations(lambda n=n: M.associative_scan(normal(1, n), normal(1, n)))) for n in (64, 1024)]
    assert counts[1] - counts[0] == pytest.approx((counts[0]) * 4 / 6, rel=0.35) and counts[1] < 130


def test_ssd_matrix_is_the_scan_with_one_decay():
    a, b, c, x = uniform(7, low=0.3), normal(7, 3), normal(7, 3, seed=1), normal(7, seed=2)
    h, y = torch.zeros(3, dtype=torch.float64), []
    for t in range(7):
        h = a[t] * h + b[t] * x[t]
        y.append(c[t] @ h)
    matrix = M.ssd_matrix(a, b, c)
    assert torch.allclose(matrix @ x, torch.stack(y)) and torch.equal(matrix.triu(1), torch.zeros_like(matrix))
    assert torch.linalg.matrix_rank(matrix[4:, :4]) == 3  # what passes a cut passes through the state
    assert torch.autograd.gradcheck(M.ssd_matrix, [t.clone().requires_grad_() for t in (a, b, c)])


def test_ssd_matrix_holds_where_a_running_product_would_underflow():
    a, ones = torch.full((500,), 0.1, dtype=torch.float64), torch.ones(500, 1, dtype=torch.float64)
    assert torch.allclose(M.ssd_matrix(a, ones, ones).diagonal(-1), a[1:])


def test_without_decay_it_is_linear_attention_without_a_normaliser():
    q, k, v = normal(6, 3).abs(), normal(6, 3, seed=1).abs(), normal(6, 2, seed=2)
    matrix = M.ssd_matrix(torch.ones(6, dtype=torch.float64), k, q)
    normalised = matrix @ v / matrix.sum(-1, keepdim=True)
    assert torch.allclose(normalised, linear_attention(q, k, v, lambda x: x, causal=True))


def test_selective_matrix_is_the_scan_of_a_channel():
    x, delta, a, b, c, d = scan_inputs()
    y = M.selective_scan(x, delta, a, b, c, torch.zeros_like(d))
    for channel in range(3):
        matrix = M.selective_matrix(delta[1, :, channel], a[channel], b[1], c[1])
        assert torch.allclose(matrix @ x[1, :, channel], y[1, :, channel])


# --- the block -------------------------------------------------------------------------------------------------------


def test_mamba_block_is_transformers_mixer():
    weights = block_weights(Draws(), width=20, n=5, conv=3, dtype=torch.float32)
    x = normal(2, 11, 20, dtype=torch.float32)
    mine = run_block(M.MambaBlock, weights, x, 5, 3)
    assert (mine - by_transformers(weights, x)).abs().max() < 1e-5


def test_mamba_block_is_the_written_out_sum_and_causal():
    weights, x = block_weights(Draws()), normal(2, 8, 6)
    assert torch.allclose(run_block(M.MambaBlock, weights, x), slow_block(weights, x))
    x.requires_grad_()
    (slope,) = torch.autograd.grad(run_block(M.MambaBlock, weights, x)[:, 4].sum(), x)
    assert slope[:, 5:].abs().max() == 0 and slope[:, 4].abs().min() > 0


def test_first_values_are_those_of_the_paper():
    block = M.MambaBlock(8, 4)
    steps = F.softplus(block.dt_proj.bias)
    assert torch.allclose(torch.exp(block.A_log), torch.arange(1.0, 5.0).expand(16, 4))
    assert steps.min() > 0.99e-3 and steps.max() < 0.101


def test_time_invariant_block_does_not_select():
    block = M.TimeInvariantBlock(6, 3).double()
    inner, gate = block.scan_inputs(normal(1, 9, 6))
    delta, b, c = block.steps(inner)
    assert torch.equal(delta, delta[:, :1].expand_as(delta)) and torch.equal(b, b[:, :1].expand_as(b))
    (block(normal(1, 9, 6)).sum()).backward()
    assert all(p.grad is not None for p in block.parameters())


# --- the task --------------------------------------------------------------------------------------------------------


def test_copying_batch_asks_for_the_symbols_in_order():
    tokens, symbols = copying_batch(4, 20, 5, torch.Generator().manual_seed(0))
    assert tokens.shape == (4, 25) and (tokens[:, -5:] == READ).all()
    for row, wanted in zip(tokens, symbols, strict=True):
        assert torch.equal(row[row < NOISE], wanted)
        assert len(wanted.unique()) == 5
