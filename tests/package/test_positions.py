"""The references of chapter 03 against transformers, complex numbers, matrix exponentials and slow loops."""

import doctest
import importlib
import math

import pytest
import torch
from transformers import LlamaConfig, T5Config
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.t5.modeling_t5 import T5Attention

from tests.package.draws import normal
from tformer_course.models import positions as P
from tformer_course.training.positions import ALPHABET, decode, encode, held_out_rows, train_position_lm, village_text


@pytest.mark.parametrize("name", ["encodings", "rotary", "relative", "extension"])
def test_doctests_hold(name):
    assert doctest.testmod(importlib.import_module(f"tformer_course.models.positions.{name}")).failed == 0


@pytest.mark.parametrize(("n", "d", "base"), [(1, 2, 10000.0), (40, 6, 10000.0), (100, 64, 500.0)])
def test_sinusoidal_encoding_is_imaginary_and_real_part_of_a_turning_number(n, d, base):
    turning = [[complex(math.cos(p / base ** (2 * i / d)), math.sin(p / base ** (2 * i / d))) for i in range(d // 2)]
               for p in range(n)]  # fmt: skip
    expected = torch.tensor([[part for z in row for part in (z.imag, z.real)] for row in turning])
    torch.testing.assert_close(P.sinusoidal_encoding(n, d, base), expected, rtol=1e-4, atol=1e-4)


def test_odd_widths_are_refused():
    for call in (P.sinusoidal_encoding, P.shift_matrix, P.rotary_tables):
        with pytest.raises(ValueError, match="7"):
            call(4, 7)


@pytest.mark.parametrize("offset", [0, 1, 17, -9])
def test_shift_matrix_is_the_exponential_of_a_generator_and_moves_every_position(offset):
    d, base = 10, 300.0
    generator = torch.zeros(d, d, dtype=torch.float64)
    for i in range(d // 2):
        generator[2 * i, 2 * i + 1], generator[2 * i + 1, 2 * i] = base ** (-2 * i / d), -(base ** (-2 * i / d))
    shift = P.shift_matrix(offset, d, base)
    torch.testing.assert_close(shift.double(), torch.linalg.matrix_exp(offset * generator), rtol=1e-5, atol=1e-5)
    encoding = P.sinusoidal_encoding(60, d, base)
    for p in range(10, 40):
        torch.testing.assert_close(shift @ encoding[p], encoding[p + offset], rtol=1e-4, atol=1e-4)


def test_spring_bias_makes_softmax_a_gaussian_window():
    weights = torch.softmax(P.spring_bias(101, 0.04), dim=-1)[50]
    assert weights.argmax() == 50
    spread = (weights * (torch.arange(101) - 50) ** 2).sum().sqrt()
    assert abs(float(spread) - 1 / math.sqrt(0.04)) < 1e-3


def test_spring_bias_keeps_the_gradient_of_its_stiffness():
    stiffness = torch.tensor(0.3, requires_grad=True)
    P.spring_bias(3, stiffness).sum().backward()
    assert float(stiffness.grad) == pytest.approx(-0.5 * (4 * 1 + 2 * 4))


@pytest.mark.parametrize(("d_head", "base"), [(16, 10000.0), (64, 500000.0)])
def test_tables_and_rotation_equal_transformers_llama(d_head, base):
    config = LlamaConfig(
        hidden_size=4 * d_head,
        num_attention_heads=4,
        head_dim=d_head,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    q, k = normal(2, 4, 50, d_head, dtype=torch.float32), normal(2, 4, 50, d_head, seed=1, dtype=torch.float32)
    cos, sin = LlamaRotaryEmbedding(config)(q, torch.arange(50)[None])
    mine = P.rotary_tables(50, d_head, base)
    torch.testing.assert_close(mine[0], cos[0], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(mine[1], sin[0], rtol=1e-4, atol=1e-4)
    for x, expected in zip((q, k), apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        torch.testing.assert_close(P.apply_rotary(x, *mine), expected, rtol=1e-4, atol=1e-4)


def test_rotation_equals_complex_multiplication_in_both_layouts():
    x, angles = normal(2, 3, 7, 6), normal(7, 3, seed=1)
    cos, sin = (torch.cat((t, t), -1) for t in (angles.cos(), angles.sin()))
    turned = P.apply_rotary(x, cos, sin)
    z = torch.complex(*x.chunk(2, -1)) * torch.polar(torch.ones_like(angles), angles)
    torch.testing.assert_close(turned, torch.cat((z.real, z.imag), -1))
    order = P.half_split_to_interleaved(6)
    pairs = torch.view_as_complex(x[..., order].reshape(2, 3, 7, 3, 2).contiguous())
    interleaved = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
    torch.testing.assert_close(turned[..., order], interleaved)


def test_rotated_scores_depend_on_the_offset_alone():
    q, k = normal(8, seed=2), normal(8, seed=3)
    cos, sin = (t.double() for t in P.rotary_tables(40, 8))
    scores = P.apply_rotary(q.expand(40, 8), cos, sin) @ P.apply_rotary(k.expand(40, 8), cos, sin).T
    for offset in range(-39, 40):
        diagonal = torch.diagonal(scores, offset)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), rtol=1e-4, atol=1e-4)


def test_apply_rotary_refuses_tables_that_would_broadcast_over_the_wrong_axis():
    with pytest.raises(ValueError, match="d_head"):
        P.apply_rotary(torch.zeros(5, 4, 8), *P.rotary_tables(5, 8))


@pytest.mark.parametrize("num_heads", [1, 2, 3, 6, 8, 12, 20, 32, 71])
def test_alibi_slopes_equal_those_of_bloom(num_heads):
    bloom = build_alibi_tensor(torch.ones(1, 2, dtype=torch.long), num_heads, torch.float32)[:, 0, 1]
    torch.testing.assert_close(P.alibi_slopes(num_heads), bloom)


def test_alibi_bias_equals_a_loop():
    bias, slopes = P.alibi_bias(6, 5), P.alibi_slopes(6)
    for h in range(6):
        for i in range(5):
            for j in range(5):
                expected = -float(slopes[h]) * (i - j) if j <= i else -math.inf
                assert float(bias[h, i, j]) == pytest.approx(expected)


def test_t5_buckets_equal_transformers():
    distance = torch.arange(-5, 400)
    config = T5Config()
    expected = T5Attention._relative_position_bucket(
        -distance, False, config.relative_attention_num_buckets, config.relative_attention_max_distance
    )
    assert torch.equal(P.t5_bucket(distance), expected)


def scaled(rope_type, d_head, base, train_len, factor, **more):
    config = LlamaConfig(
        hidden_size=d_head * 2,
        num_attention_heads=2,
        head_dim=d_head,
        max_position_embeddings=train_len,
        rope_parameters={"rope_type": rope_type, "rope_theta": base, "factor": factor, **more},
    )
    return config


@pytest.mark.parametrize("factor", [1.0, 2.0, 16.0])
def test_interpolation_equals_transformers_linear_scaling(factor):
    config = scaled("linear", 32, 10000.0, 64, factor)
    expected, _ = ROPE_INIT_FUNCTIONS["linear"](config, "cpu")
    positions = torch.arange(100)
    squeezed = P.interpolate_positions(positions, 64, int(64 * factor))
    torch.testing.assert_close(squeezed[:, None] * P.rotary_frequencies(32), positions[:, None] * expected)
    assert P.interpolate_positions(positions.double(), 64, 128).dtype == torch.float64


def test_ntk_base_equals_transformers_dynamic_scaling():
    # transformers' factor is that of the configuration, combined with the length: factor·length/L − (factor − 1).
    config = scaled("dynamic", 32, 10000.0, 64, 1.0)
    expected, _ = ROPE_INIT_FUNCTIONS["dynamic"](config, "cpu", seq_len=256)
    torch.testing.assert_close(P.rotary_frequencies(32, P.ntk_base(10000.0, 32, 4.0)), expected)


@pytest.mark.parametrize(
    ("d_head", "train_len", "base"), [(16, 64, 1e4), (64, 2048, 1e4), (128, 4096, 1e4), (64, 8192, 1e5)]
)
@pytest.mark.parametrize("factor", [1.0, 4.0, 16.0])
@pytest.mark.parametrize("betas", [(32.0, 1.0), (16.0, 2.0)])
def test_yarn_equals_transformers(d_head, train_len, base, factor, betas):
    more = {"original_max_position_embeddings": train_len, "beta_fast": betas[0], "beta_slow": betas[1]}
    config = scaled("yarn", d_head, base, int(train_len * factor), factor, **more)
    expected, expected_scale = ROPE_INIT_FUNCTIONS["yarn"](config, "cpu")
    frequencies, scale = P.yarn_frequencies(d_head, base, train_len, factor, *betas)
    torch.testing.assert_close(frequencies / expected, torch.ones(d_head // 2), rtol=1e-5, atol=0)
    assert scale == pytest.approx(expected_scale)


def counting_model(tokens):
    """Logits that depend on everything up to a position."""
    seen = torch.nn.functional.one_hot(tokens, 5).double().cumsum(1)
    return torch.sin(seen) * 2


def test_perplexity_by_length_equals_a_loop():
    tokens = torch.randint(0, 5, (3, 20), generator=torch.Generator().manual_seed(0))
    got = P.perplexity_by_length(counting_model, tokens, [6, 20], 4)
    for length in (6, 20):
        losses = []
        for row in tokens:
            shown = row[-length:]
            for t in range(length - 4, length):
                log_p = torch.log_softmax(counting_model(shown[None])[0, t - 1], -1)
                losses.append(-float(log_p[shown[t]]))
        assert got[length] == pytest.approx(math.exp(sum(losses) / len(losses)))
    with pytest.raises(ValueError, match="4"):
        P.perplexity_by_length(counting_model, tokens, [4], 4)


@pytest.mark.parametrize("kind", ["none", "learned", "sinusoidal", "rope", "alibi"])
def test_language_model_is_causal_and_learns(kind):
    model, losses = train_position_lm(kind, seed=0, steps=8, data=encode(village_text(5000, 1)))
    assert losses[-1] < losses[0]
    tokens = held_out_rows(rows=2, length=40)
    changed = tokens.clone()
    changed[:, 30:] = (changed[:, 30:] + 1) % len(ALPHABET)
    with torch.no_grad():
        torch.testing.assert_close(model(tokens)[:, :30], model(changed)[:, :30])
        _, weights = model(tokens, return_weights=True)
    assert [tuple(w.shape) for w in weights] == [(2, 4, 40, 40)] * 2


def test_learned_table_ends():
    model = P.PositionLM("learned", len(ALPHABET), max_len=8)
    with pytest.raises(IndexError):
        model(torch.zeros(1, 9, dtype=torch.long))
    with pytest.raises(ValueError, match="rotary"):
        P.PositionLM("rotary", 5)


def test_extended_tables_equal_the_trained_ones_within_the_training_length():
    for method in ("raw", "pi", "ntk", "yarn"):
        for mine, trained in zip(P.extended_tables(method, 16, 64)(64), P.rotary_tables(64, 16), strict=True):
            torch.testing.assert_close(mine, trained)


def test_text_is_made_of_the_alphabet_and_repeats_from_its_seed():
    text = village_text(3000, seed=4)
    assert text == village_text(3000, seed=4) != village_text(3000, seed=5)
    assert decode(encode(text)) == text and len(text) == 3000
