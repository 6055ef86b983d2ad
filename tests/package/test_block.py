"""The references of chapter 04 against torch, slow loops, closed forms and properties."""

import doctest
import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.package.draws import normal, seeded
from tformer_course.models.attention import causal_mask
from tformer_course.models.block import blocks, parts, signal


def randomised(module, seed=0):
    """The module in float64 with every parameter drawn anew, norms and biases too."""
    generator = seeded(seed)
    module = module.double()
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.randn(p.shape, generator=generator, dtype=p.dtype) * 0.4)
    return module


@pytest.mark.parametrize("module", [parts, signal, blocks])
def test_doctests_hold(module):
    assert doctest.testmod(module).failed == 0


# --- parts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(6,), (3, 6), (2, 4, 5, 6)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_norms_equal_torch(shape, dtype):
    x, weight, bias = (
        normal(*shape, dtype=dtype) * 3 + 1,
        normal(6, seed=1, dtype=dtype),
        normal(6, seed=2, dtype=dtype),
    )
    torch.testing.assert_close(parts.layer_norm(x, weight, bias), F.layer_norm(x, (6,), weight, bias))
    torch.testing.assert_close(parts.layer_norm(x, weight, bias, 0.5), F.layer_norm(x, (6,), weight, bias, 0.5))
    torch.testing.assert_close(parts.rms_norm(x, weight), F.rms_norm(x, (6,), weight, 1e-6))
    torch.testing.assert_close(parts.rms_norm(x, weight, 0.5), F.rms_norm(x, (6,), weight, 0.5))


def test_norms_of_a_constant_vector_are_finite():
    x = torch.full((2, 4), 3.0)
    assert torch.equal(parts.layer_norm(x, torch.ones(4), torch.zeros(4)), torch.zeros(2, 4))
    assert torch.equal(parts.rms_norm(torch.zeros(2, 4), torch.ones(4)), torch.zeros(2, 4))


def test_feed_forward_is_x_times_the_normal_distribution_function():
    x, w_in, b_in, w_out, b_out = (
        normal(2, 5, 4),
        normal(4, 7, seed=1),
        normal(7, seed=2),
        normal(7, 4, seed=3),
        normal(4),
    )
    h = x @ w_in + b_in
    want = (h * 0.5 * (1 + torch.erf(h / math.sqrt(2)))) @ w_out + b_out
    torch.testing.assert_close(parts.feed_forward(x, w_in, b_in, w_out, b_out), want)


def test_swiglu_equals_a_slow_loop():
    x, gate, up, down = normal(2, 3, 4), normal(4, 6, seed=1), normal(4, 6, seed=2), normal(6, 4, seed=3)
    want = torch.zeros(2, 3, 4, dtype=torch.float64)
    for b in range(2):
        for t in range(3):
            for j in range(6):
                g = float(x[b, t] @ gate[:, j])
                want[b, t] += g / (1 + math.exp(-g)) * (x[b, t] @ up[:, j]) * down[j]
    torch.testing.assert_close(parts.swiglu(x, gate, up, down), want)


@pytest.mark.parametrize("multiple_of", [1, 8, 64, 256])
def test_swiglu_hidden_is_the_least_width_that_is_not_too_small(multiple_of):
    for d_model in (1, 3, 16, 500, 1024, 4096):
        width = parts.swiglu_hidden(d_model, multiple_of)
        assert width % multiple_of == 0
        assert 3 * d_model * width >= 8 * d_model**2 > 3 * d_model * (width - multiple_of)
    assert parts.swiglu_hidden(4096, 256) == 11008  # LLaMA-7B


def test_drop_path_drops_whole_samples_and_keeps_the_expectation():
    x = torch.ones(20000, 2, 3, dtype=torch.float64)
    y = parts.drop_path(x, 0.3, True, seeded(0))
    flat = y.flatten(1)
    assert torch.equal(flat.amin(1), flat.amax(1)), "a sample is kept or dropped as a whole"
    assert set(flat[:, 0].unique().tolist()) == {0.0, 1 / 0.7}
    assert abs(float(y.mean()) - 1) < 6 * math.sqrt(0.3 / 0.7 / 20000)
    assert torch.equal(y, parts.drop_path(x, 0.3, True, seeded(0)))


def test_drop_path_at_its_ends():
    x = normal(3, 4).requires_grad_()
    assert torch.equal(parts.drop_path(x, 0.9, False), x) and torch.equal(parts.drop_path(x, 0.0, True), x)
    y = parts.drop_path(x, 1.0, True)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(y, torch.zeros_like(y)) and torch.equal(gradient, torch.zeros_like(x))
    with pytest.raises(ValueError, match=r"1\.5"):
        parts.drop_path(x, 1.5, True)


# --- signal --------------------------------------------------------------------------------------------------------


def test_gradient_norms_equal_backward_and_leave_no_trace():
    layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(4)).double()
    layers[2].weight.requires_grad_(False)
    layers[0].weight.grad = normal(4, 4)
    before = layers[0].weight.grad.clone()
    x = normal(5, 4)
    for layer in layers[:3]:
        x = torch.tanh(layer(x))
    loss = x.square().sum()
    got = signal.gradient_norms(layers, loss)
    assert torch.equal(layers[0].weight.grad, before) and layers[1].weight.grad is None
    layers.zero_grad()
    loss.backward()
    want = [math.sqrt(sum(float(p.grad.square().sum()) for p in m.parameters() if p.grad is not None)) for m in layers]
    assert got == pytest.approx(want) and want[3] == 0
    assert all(isinstance(n, float) for n in got)


def test_gradient_norms_without_any_gradient():
    frozen = nn.Linear(2, 2).requires_grad_(False)
    assert signal.gradient_norms([frozen], frozen(torch.ones(1, 2)).sum()) == [0.0]


def test_standard_deviations_equal_those_of_torch():
    weight = torch.empty(400, 600)  # (out, in)
    nn.init.xavier_normal_(weight, generator=seeded(0))
    assert float(weight.std()) == pytest.approx(signal.xavier_std(600, 400), rel=0.02)
    nn.init.kaiming_normal_(weight, generator=seeded(0))
    assert float(weight.std()) == pytest.approx(signal.he_std(600), rel=0.02)
    assert signal.residual_std(0.02, 12) == pytest.approx(0.02 / math.sqrt(24))


def test_forward_variances_meet_the_closed_forms():
    he, xavier = signal.he_std(512), signal.xavier_std(512, 512)
    relu = signal.forward_variances(3, 512, he, torch.relu, seeded(0))
    assert relu == pytest.approx([1 - 1 / math.pi] * 3, rel=0.12)  # E[h²] = 1, E[h]² = 1/π
    linear = signal.forward_variances(3, 512, xavier, lambda h: h, seeded(1))
    assert linear == pytest.approx([1.0] * 3, rel=0.12)
    tanh = signal.forward_variances(10, 512, xavier, torch.tanh, seeded(2))
    assert tanh[0] == pytest.approx(0.394, rel=0.05) and tanh[-1] < 0.1
    assert signal.forward_variances(2, 8, 1.0, torch.relu, seeded(3)) == signal.forward_variances(
        2, 8, 1.0, torch.relu, seeded(3)
    )


# --- blocks --------------------------------------------------------------------------------------------------------


def torch_layer(block, norm):
    """nn.TransformerEncoderLayer with the weights of our block."""
    theirs = nn.TransformerEncoderLayer(
        12, 3, 20, dropout=0.0, activation="gelu", batch_first=True, norm_first=norm == "pre", dtype=torch.float64
    )
    ours = block.state_dict()
    names = {
        "norm1": "norm1",
        "norm2": "norm2",
        "ffn.0": "linear1",
        "ffn.2": "linear2",
        "attn.w_o": "self_attn.out_proj",
    }
    state = {f"{new}.{kind}": ours[f"{old}.{kind}"] for old, new in names.items() for kind in ("weight", "bias")}
    for kind in ("weight", "bias"):
        state[f"self_attn.in_proj_{kind}"] = torch.cat([ours[f"attn.w_{name}.{kind}"] for name in "qkv"])
    theirs.load_state_dict(state)
    return theirs


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_block_equals_torchs_encoder_layer(norm):
    block = randomised(blocks.TransformerBlock(12, 3, 20, norm=norm))
    theirs, x, mask = torch_layer(block, norm), normal(2, 5, 12), causal_mask(5)
    torch.testing.assert_close(block(x), theirs(x))
    torch.testing.assert_close(block(x, mask), theirs(x, src_mask=~mask))


def test_block_refuses_an_unknown_norm():
    with pytest.raises(ValueError, match="'sandwich'"):
        blocks.TransformerBlock(8, 2, 16, norm="sandwich")


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_each_branch_flips_its_own_coin_per_sample(norm):
    block = randomised(blocks.TransformerBlock(4, 2, 8, norm=norm, drop_path=0.25)).train()
    one = normal(1, 3, 4)
    y = block(one.expand(4000, 3, 4))
    kinds = {}
    for sample in y.flatten(1).tolist():
        key = tuple(round(v, 6) for v in sample)
        kinds[key] = kinds.get(key, 0) + 1
    counts = sorted(kinds.values())
    wanted = [0.0625 * 4000, 0.1875 * 4000, 0.1875 * 4000, 0.5625 * 4000]
    assert len(counts) == 4 and all(abs(c - w) < 6 * math.sqrt(w) for c, w in zip(counts, wanted, strict=True))
    block.eval()
    torch.testing.assert_close(block(one.expand(2, 3, 4))[0], block(one)[0])


def test_decoder_block_equals_torchs_decoder_layer():
    block = randomised(blocks.DecoderBlock(12, 3, 20))
    theirs = nn.TransformerDecoderLayer(
        12, 3, 20, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, dtype=torch.float64
    )
    ours = block.state_dict()
    names = {"norm1": "norm1", "norm2": "norm2", "norm3": "norm3", "ffn.0": "linear1", "ffn.2": "linear2"}
    names |= {"self_attn.w_o": "self_attn.out_proj", "cross_attn.w_o": "multihead_attn.out_proj"}
    state = {f"{new}.{kind}": ours[f"{old}.{kind}"] for old, new in names.items() for kind in ("weight", "bias")}
    for old, new in (("self_attn", "self_attn"), ("cross_attn", "multihead_attn")):
        for kind in ("weight", "bias"):
            state[f"{new}.in_proj_{kind}"] = torch.cat([ours[f"{old}.w_{name}.{kind}"] for name in "qkv"])
    theirs.load_state_dict(state)
    x, memory, keep = normal(2, 5, 12), normal(2, 7, 12, seed=1), torch.rand(5, 7, generator=seeded(0)) < 0.6
    keep[:, 0] = True
    torch.testing.assert_close(block(x, memory), theirs(x, memory))
    got = block(x, memory, causal_mask(5), keep)
    torch.testing.assert_close(got, theirs(x, memory, tgt_mask=~causal_mask(5), memory_mask=~keep))


def test_seq2seq_sees_the_whole_source_and_no_later_target():
    model = randomised(blocks.Seq2Seq(11, 12, 3, 2, max_len=8))
    source, target = torch.randint(11, (3, 8), generator=seeded(0)), torch.randint(11, (3, 6), generator=seeded(1))
    logits = model(source, target)
    assert logits.shape == (3, 6, 11)
    for t in range(6):
        changed = target.clone()
        changed[:, t] = (changed[:, t] + 1) % 11
        gap = (model(source, changed) - logits).abs().amax(dim=(0, 2))
        assert torch.all(gap[:t] == 0) and torch.all(gap[t:] > 0)
        torch.testing.assert_close(model(source, target[:, : t + 1]), logits[:, : t + 1])
    for s in range(8):
        changed = source.clone()
        changed[:, s] = (changed[:, s] + 1) % 11
        assert torch.all((model(changed, target) - logits).abs().amax(dim=(0, 2)) > 0)
    assert not torch.allclose(model(source.flip(1), target), logits)
