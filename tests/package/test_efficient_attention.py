"""The references of chapter 06 against masked attention, slow loops, autograd in float64 and counters."""

import doctest
import importlib
import math
import subprocess
import sys

import pytest
import torch
from torch.nn import functional as F

from tests.package.draws import normal
from tformer_course.checks.efficient_attention.bigbird import dependence
from tformer_course.models import efficient_attention as E


def with_gradients(function, *inputs, seed=9):
    """All outputs of a function and the gradients of a random weighted sum of them."""
    leaves = [x.clone().requires_grad_() for x in inputs]
    out = function(*leaves)
    out = out if isinstance(out, tuple) else (out,)
    weights = [normal(*y.shape, seed=seed + i, dtype=y.dtype) for i, y in enumerate(out)]
    return [*out, *torch.autograd.grad(out, leaves, weights)]


def masked(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@pytest.mark.parametrize("name", ["masks", "linear", "flash", "traffic", "hierarchy", "serving", "watch"])
def test_doctests_hold(name):
    assert doctest.testmod(importlib.import_module(f"tformer_course.models.efficient_attention.{name}")).failed == 0


@pytest.mark.parametrize(("n", "window"), [(1, 1), (7, 1), (9, 4), (9, 5), (5, 12)])
def test_sliding_window_mask_counts_positions_one_by_one(n, window):
    for causal in (True, False):
        mask = E.sliding_window_mask(n, window, causal)
        for i in range(n):
            for j in range(n):
                sees = 0 <= i - j < window if causal else abs(i - j) <= window // 2
                assert bool(mask[i, j]) == sees
    with pytest.raises(ValueError, match="0"):
        E.sliding_window_mask(n, 0)


@pytest.mark.parametrize("chosen", [[], [0], [3, 8], torch.tensor([1, 5]), torch.tensor([], dtype=torch.long)])
def test_longformer_globals_read_all_and_are_read_by_all(chosen):
    mask = E.longformer_mask(10, 3, chosen)
    names = {int(c) for c in chosen}
    for i in range(10):
        for j in range(10):
            assert bool(mask[i, j]) == (abs(i - j) <= 1 or i in names or j in names)


def test_bigbird_rows_get_new_keys_each_by_its_own_draw():
    base = E.longformer_mask(80, 5, range(2))
    mask = E.bigbird_mask(80, 5, 2, 4, torch.Generator().manual_seed(0))
    extra = mask & ~base
    assert torch.equal(mask & base, base) and mask[:2].all() and mask[:, :2].all()
    assert torch.equal(extra.sum(1)[2:], torch.full((78,), 4))
    assert (extra & extra.T).sum() < 0.5 * extra.sum()
    assert extra.any(0).sum() > 50
    assert torch.equal(mask, E.bigbird_mask(80, 5, 2, 4, torch.Generator().manual_seed(0)))
    assert E.bigbird_mask(6, 3, 1, 10).all(), "fewer where there are not enough"
    assert E.bigbird_mask(4, 3, 9, 1).all()


def test_bigbird_grows_linearly():
    counts = [int(E.bigbird_mask(n, 9, 2, 3).sum()) for n in (256, 512, 1024)]
    assert 1.9 < counts[1] / counts[0] < 2.1 and 1.9 < counts[2] / counts[1] < 2.1


@pytest.mark.parametrize(("shape", "window"), [((2, 4, 6), (1, 2, 3)), ((3, 5, 4), (2, 2, 3)), ((1, 1, 1), (4, 4, 4))])
def test_window_mask_3d_compares_blocks(shape, window):
    tokens = [(f, r, c) for f in range(shape[0]) for r in range(shape[1]) for c in range(shape[2])]
    mask = E.window_mask_3d(shape, window)
    for a, one in enumerate(tokens):
        for b, other in enumerate(tokens):
            same = all(x // w == y // w for x, y, w in zip(one, other, window, strict=True))
            assert bool(mask[a, b]) == same


def test_keep_top_scores_keeps_exactly_the_largest_also_with_ties_and_masks():
    scores = normal(3, 4, 10)
    kept = E.keep_top_scores(scores, 0.35)
    for row, out in zip(scores.flatten(0, 1), kept.flatten(0, 1), strict=True):
        best = sorted(row.tolist())[-3:]
        assert sorted(x for x in out.tolist() if x > -math.inf) == best
    assert (E.keep_top_scores(torch.zeros(2, 9), 0.34) == 0).sum(-1).tolist() == [3, 3]
    assert (E.keep_top_scores(scores, 0.0) > -math.inf).sum(-1).unique().tolist() == [1]
    causal = scores[0, :, :4].masked_fill(~torch.ones(4, 4).bool().tril(), -math.inf)
    out = E.keep_top_scores(causal, 0.5)
    assert not out.isnan().any() and (out.exp().sum(-1) > 0).all() and out[0, 1:].eq(-math.inf).all()


def slow_linear(q, k, v, phi, causal):
    q, k = phi(q), phi(k)
    pairs = q @ k.transpose(-2, -1)
    pairs = pairs.tril() if causal else pairs
    return pairs @ v / pairs.sum(-1, keepdim=True)


@pytest.mark.parametrize(("length", "causal"), [(1, True), (7, True), (300, True), (256, True), (5, False)])
def test_linear_attention_equals_the_quadratic_order(length, causal):
    q, k, v = normal(2, length, 4), normal(2, length, 4, seed=1), normal(2, length, 3, seed=2)
    mine = with_gradients(lambda q, k, v: E.linear_attention(q, k, v, E.elu_features, causal), q, k, v)
    right = with_gradients(lambda q, k, v: slow_linear(q, k, v, E.elu_features, causal), q, k, v)
    for a, b in zip(mine, right, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-9, atol=1e-11)


def test_linear_attention_without_weight_is_zero_with_zero_gradient():
    q = normal(1, 4, 3)
    out = with_gradients(lambda q, k, v: E.linear_attention(q, k, v, torch.relu), -q.abs(), q.abs(), q)
    assert all((x == 0).all() for x in out)


def test_favor_features_are_unbiased_and_orthogonal_rows_vary_less():
    x, y = 0.5 * normal(6), 0.5 * normal(6, seed=1)
    right = math.exp(float(x @ y))
    spread = {}
    for name, draw in (("independent", torch.randn), ("orthogonal", None)):
        generator = torch.Generator().manual_seed(3)
        values = []
        for _ in range(1500):
            w = draw(12, 6, generator=generator) if draw else E.orthogonal_gaussian(12, 6, generator)
            values.append(float(E.favor_features(x, w.double()) @ E.favor_features(y, w.double())))
        values = torch.tensor(values, dtype=torch.float64)
        assert abs(values.mean() - right) < 5 * values.std() / math.sqrt(len(values))
        spread[name] = float(values.std())
    assert spread["orthogonal"] < spread["independent"]


def test_linformer_is_attention_to_mixed_keys():
    q, k, v, e, f = normal(2, 3, 5, 4), normal(2, 3, 9, 4), normal(2, 3, 9, 2), normal(4, 9), normal(4, 9, seed=8)
    mixed_k = torch.einsum("ks,bhsd->bhkd", e, k)
    mixed_v = torch.einsum("ks,bhsd->bhkd", f, v)
    torch.testing.assert_close(E.linformer_attention(q, k, v, e, f), masked(q, mixed_k, mixed_v, None))
    with pytest.raises(ValueError, match="9.*8"):
        E.linformer_attention(q, k[..., :8, :], v, e, f)


def test_delta_rule_overwrites_a_key():
    key, first, second = F.normalize(normal(1, 4), dim=-1), normal(1, 3), normal(1, 3, seed=1)
    k, v = torch.cat([key, key]), torch.cat([first, second])
    out = E.delta_rule(k, k, v, torch.ones(2, 1, dtype=torch.float64))
    torch.testing.assert_close(out, v)


@pytest.mark.parametrize("cuts", [[4, 1, 7], [12], [1] * 12])
def test_online_softmax_equals_the_whole_row_with_gradients(cuts):
    row = normal(3, 12)
    row[1, :5] = -math.inf
    row[2] = -math.inf
    mine = with_gradients(lambda x: E.online_softmax(iter(x.split(cuts, -1))), row[:2])
    right = with_gradients(lambda x: (x.amax(-1), torch.exp(x - x.amax(-1, keepdim=True)).sum(-1)), row[:2])
    for a, b in zip(mine, right, strict=True):
        torch.testing.assert_close(a, b)
    maximum, total = E.online_softmax(row[2:].split(cuts, -1))
    assert maximum.item() == -math.inf and total.item() == 0
    gradients = with_gradients(lambda x: E.online_softmax(x.split(cuts, -1))[1], row)[1]
    assert not gradients.isnan().any()
    with pytest.raises(ValueError, match="0 blocks"):
        E.online_softmax([])


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("block_q", "block_k"), [(1, 1), (4, 3), (3, 5), (64, 64)])
def test_flash_attention_equals_autograd_in_float64(block_q, block_k, causal):
    q, k, v = normal(2, 3, 11, 4), normal(2, 3, 11 if causal else 8, 4), normal(2, 3, 11 if causal else 8, 5)

    def plain(q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if causal:
            scores = scores.masked_fill(~torch.ones(11, 11).bool().tril(), -math.inf)
        return scores.softmax(-1) @ v, scores.logsumexp(-1)

    mine = with_gradients(lambda q, k, v: E.flash_attention(q, k, v, block_q, block_k, causal), q, k, v)
    for a, b in zip(mine, with_gradients(plain, q, k, v), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-12)


def test_flash_attention_broadcasts_leading_axes_and_survives_large_scores():
    q, k, v = normal(2, 3, 6, 4), normal(3, 7, 4), normal(1, 7, 2)
    mine = with_gradients(lambda q, k, v: E.flash_attention(q, k, v, 4, 4)[0], q, k, v)
    for a, b in zip(mine, with_gradients(lambda q, k, v: masked(q, k, v, None), q, k, v), strict=True):
        torch.testing.assert_close(a, b)
    out = with_gradients(lambda q, k, v: E.flash_attention(q, k, v, 4, 4), 900 * q, k, v)
    assert all(x.isfinite().all() for x in out)
    with pytest.raises(ValueError, match="6 and 7"):
        E.flash_attention(q, k, v, 4, 4, causal=True)


def test_flash_gradcheck():
    q, k, v = (normal(5, 3, seed=s).requires_grad_() for s in range(3))
    assert torch.autograd.gradcheck(lambda *x: E.flash_attention(*x, 2, 3, True), (q, k, v))


@pytest.mark.parametrize(("length", "window"), [(1, 1), (40, 1), (40, 7), (300, 33), (150, 400), (200, 129)])
def test_sliding_window_attention_equals_the_masked_one(length, window):
    q, k, v = normal(2, length, 4), normal(2, length, 4, seed=1), normal(2, length, 3, seed=2)
    mask = E.sliding_window_mask(length, window)
    mine = with_gradients(lambda q, k, v: E.sliding_window_attention(q, k, v, window), q, k, v)
    for a, b in zip(mine, with_gradients(lambda q, k, v: masked(q, k, v, mask), q, k, v), strict=True):
        torch.testing.assert_close(a, b)


LONG = """
import resource, sys, torch
sys.path.insert(0, {root!r})
from tformer_course.models import efficient_attention as E
torch.manual_seed(0)
q, k, v = (torch.randn(16384, 16, requires_grad=True) for _ in range(3))
call = {call}
call(q[:64], k[:64], v[:64]).sum().backward()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with E.LargestTensor() as seen:
    call(q, k, v).sum().backward()
grew = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
assert all(x.grad.isfinite().all() for x in (q, k, v))
print(grew, seen.entries)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "lambda q, k, v: E.sliding_window_attention(q, k, v, 256)",
        "lambda q, k, v: E.linear_attention(q, k, v, E.elu_features, True)",
        "lambda q, k, v: E.flash_attention(q, k, v, 512, 512, True)[0]",
        "lambda q, k, v: E.flash_attention(q, k, v, 512, 512)[0]",
    ],
)
def test_sixteen_thousand_tokens_need_no_square_matrix(root, call):
    """The matrix alone would take 1,024 MB in float32; the whole process grows by a tenth of that at most."""
    source = LONG.format(root=str(root), call=call)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    grew, largest = map(int, done.stdout.split())
    assert grew < 110, f"{grew} MB"
    assert largest <= 16384 * 512 // 4


@pytest.mark.parametrize(("n", "d", "sram"), [(64, 8, 256), (100, 8, 300), (96, 16, 1024), (50, 4, 5000)])
def test_traffic_formula_is_what_the_simulation_counts(n, d, sram):
    q, k, v = normal(n, d), normal(n, d, seed=1), normal(n, d, seed=2)
    right = masked(q[None], k[None], v[None], None)[0]
    standard = E.simulate_standard(q, k, v)
    flash, fullest = E.simulate_flash(q, k, v, sram)
    torch.testing.assert_close(standard.arrays["output"], right)
    torch.testing.assert_close(flash.arrays["output"], right)
    assert standard.traffic() == E.hbm_traffic(n, d, sram, "standard")
    assert flash.traffic("maximum", "total") == E.hbm_traffic(n, d, sram, "flash")
    passes = math.ceil(n / math.ceil(sram / (4 * d)))
    assert flash.traffic() - flash.traffic("maximum", "total") == 4 * n * passes
    assert fullest <= sram + 6 * d + 4 * d * d
    with pytest.raises(ValueError, match="flash3"):
        E.hbm_traffic(n, d, sram, "flash3")


def test_roofline_has_a_slope_and_a_roof():
    slow, fast = E.roofline(1e9, 1e9, 1e14, 1e12), E.roofline(1e12, 1e9, 1e14, 1e12)
    assert slow["bound"] == "memory" and math.isclose(slow["seconds"], 1e-3)
    assert fast["bound"] == "compute" and math.isclose(fast["seconds"], 1e-2)


def test_hierarchical_attention_is_two_attentions():
    x = normal(2, 12, 4)
    out = E.hierarchical_attention(x, 3)
    local = torch.cat([masked(p, p, p, None) for p in x.split(3, dim=1)], dim=1)
    means = torch.stack([p.mean(1) for p in local.split(3, dim=1)], dim=1)
    among = masked(means, means, means, None).repeat_interleave(3, dim=1)
    torch.testing.assert_close(out, local + among)
    with pytest.raises(ValueError, match="5.*12"):
        E.hierarchical_attention(x, 5)


def test_random_keys_that_depend_on_each_other_are_noticed():
    free = E.bigbird_mask(72, 5, 2, 3, torch.Generator().manual_seed(0))
    assert dependence(free, 5, 2) == dependence(E.longformer_mask(72, 5, [0, 1]), 5, 2) == ""
    runs = E.longformer_mask(72, 5, [0, 1])
    for i, row in enumerate(runs[2:]):
        hidden = (~row).nonzero().squeeze(1)
        row[hidden[(7 * i + torch.arange(3)) % len(hidden)]] = True
    assert dependence(runs, 5, 2) == "in runs"
    shifted = E.longformer_mask(72, 5, [0, 1])
    for i in range(2, 72):
        shifted[i, [(i + d) % 72 for d in (11, 29, 52)]] = True
    assert dependence(shifted, 5, 2) == "at the same distances in all rows"
