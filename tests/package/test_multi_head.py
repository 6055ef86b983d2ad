"""The references of chapter 02 against torch, transformers, slow loops and closed forms."""

import doctest
import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.package.draws import normal
from tformer_course.models import multi_head as M
from tformer_course.models.attention import causal_mask


def test_doctests_hold():
    assert doctest.testmod(M).failed == 0


def test_split_heads_puts_slice_i_of_each_token_into_head_i():
    x = normal(2, 5, 12)
    for h in (1, 3, 12):
        got = M.split_heads(x, h)
        assert got.shape == (2, h, 5, 12 // h)
        for i in range(h):
            assert torch.equal(got[:, i], x[..., i * 12 // h : (i + 1) * 12 // h])
        assert torch.equal(M.merge_heads(got), x)
    strided = normal(2, 12, 5).transpose(1, 2)
    assert torch.equal(M.merge_heads(M.split_heads(strided, 4)), strided)


@pytest.mark.parametrize(
    ("call", "numbers"),
    [
        (lambda: M.split_heads(normal(1, 2, 10), 4), ("10", "4")),
        (lambda: M.MultiHeadAttention(512, 7), ("512", "7")),
        (lambda: M.grouped_query_attention(normal(1, 6, 2, 2), normal(1, 4, 2, 2), normal(1, 4, 2, 2)), ("6", "4")),
        (lambda: M.mha_cost(512, 7, 3), ("512", "7")),
        (lambda: M.effective_rank(normal(2)), ("(2,)",)),
        (lambda: M.effective_rank(torch.zeros(2, 3)), ("(2, 3)",)),
        (lambda: M.capture_attention(nn.Linear(2, 2), {}), ("0 modules",)),
    ],
)
def test_bad_arguments_give_a_value_error_with_the_numbers(call, numbers):
    with pytest.raises(ValueError) as caught:
        call()
    assert all(n in str(caught.value) for n in numbers)


def pair(d_model, num_heads, bias=True):
    """Ours and torch's with the same weights, in float64."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(d_model, num_heads, bias=bias, batch_first=True, dtype=torch.float64)
    ours = M.MultiHeadAttention(d_model, num_heads, bias=bias).double()
    with torch.no_grad():
        for name, part in zip("qkv", theirs.in_proj_weight.chunk(3), strict=True):
            getattr(ours, f"w_{name}").weight.copy_(part)
        ours.w_o.weight.copy_(theirs.out_proj.weight)
        if bias:
            theirs.in_proj_bias.normal_()
            theirs.out_proj.bias.normal_()
            for name, part in zip("qkv", theirs.in_proj_bias.chunk(3), strict=True):
                getattr(ours, f"w_{name}").bias.copy_(part)
            ours.w_o.bias.copy_(theirs.out_proj.bias)
    return ours, theirs


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [True, False])
def test_multi_head_attention_equals_torch_with_the_same_weights(cross, bias):
    ours, theirs = pair(12, 3, bias)
    x, context = normal(2, 5, 12), normal(2, 7, 12, seed=1)
    other = context if cross else x
    keep = torch.rand(5, other.shape[1], generator=torch.Generator().manual_seed(3)) < 0.7
    keep[:, 0] = True
    want = theirs(x, other, other, attn_mask=~keep, average_attn_weights=False)  # torch: True = blocked
    got = ours(x, context if cross else None, keep, return_weights=True)
    torch.testing.assert_close(got, want)
    torch.testing.assert_close(ours(x, context if cross else None, keep), want[0])
    assert len(list(ours.parameters())) == (8 if bias else 4)


def test_a_row_without_any_key_gives_the_output_bias_and_finite_gradients():
    ours, _ = pair(8, 2)
    x = normal(1, 3, 8).requires_grad_()
    keep = torch.tensor([[True, False, False], [False, False, False], [True, True, True]])
    output, weights = ours(x, mask=keep, return_weights=True)
    torch.testing.assert_close(output[0, 1], ours.w_o.bias)
    assert (weights[:, :, 1] == 0).all()
    output.sum().backward()
    assert all(t.grad.isfinite().all() for t in (x, *ours.parameters()))


@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_grouped_query_attention_equals_torch(groups):
    q, k, v = normal(2, 6, 5, 4), normal(2, groups, 7, 4, seed=1), normal(2, groups, 7, 4, seed=2)
    keep = normal(2, 6, 5, 7, seed=3) > -0.5
    want = F.scaled_dot_product_attention(q, k, v, attn_mask=keep, enable_gqa=True)
    torch.testing.assert_close(M.grouped_query_attention(q, k, v, keep), want)


@pytest.mark.parametrize("heads", [1, 2, 8, 16, 32, 512])
def test_cost_counts_what_torch_counts(heads):
    from torch.utils.flop_counter import FlopCounterMode

    module, n = M.MultiHeadAttention(512, heads), 6
    cost = M.mha_cost(512, heads, n)
    assert cost["parameters"] == sum(p.numel() for p in module.parameters()) == 1_050_624
    with FlopCounterMode(display=False) as counter:
        _, weights = module(torch.randn(1, n, 512), return_weights=True)
    assert cost["flops"] == counter.get_total_flops()
    assert cost["attention_entries"] == weights.numel()


def tiny(family):
    import transformers as T

    torch.manual_seed(0)
    small = {"vocab_size": 50, "attn_implementation": "eager"}
    if family == "bert":
        config = T.BertConfig(hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=16, **small)
        return T.BertModel(config)
    if family == "gpt2":
        return T.GPT2Model(T.GPT2Config(n_embd=16, n_layer=3, n_head=2, n_positions=32, **small))
    config = T.LlamaConfig(
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=16,
        **small,
    )
    return T.LlamaForCausalLM(config)


def hooks(model):
    return sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules())


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("family", ["bert", "llama", "gpt2"])
def test_capture_equals_output_attentions_and_leaves_no_trace(family, training):
    model = tiny(family).train(training)
    inputs = {
        "input_ids": torch.tensor([[1, 2, 3, 4], [5, 6, 7, 0]]),
        "attention_mask": torch.tensor([[1] * 4, [1, 1, 1, 0]]),
    }
    torch.manual_seed(1)
    want = model(**inputs, output_attentions=True).attentions
    before = hooks(model)
    torch.manual_seed(1)
    got = M.capture_attention(model, inputs)
    assert len(got) == 3 and all(torch.equal(g, w) for g, w in zip(got, want, strict=True))
    assert not any(g.requires_grad for g in got)
    assert hooks(model) == before and model.training is training
    with pytest.raises(IndexError):
        M.capture_attention(model, {"input_ids": torch.tensor([[1, 99]])})
    assert hooks(model) == before


def test_capture_says_that_sdpa_forms_no_weights():
    model = tiny("bert")
    model.set_attn_implementation("sdpa")
    with pytest.raises(ValueError, match="3 of 3 layers gave no weights.*eager"):
        M.capture_attention(model, {"input_ids": torch.tensor([[1, 2]])})


def test_average_heads_keeps_rows_at_one():
    weights = normal(2, 3, 4, 5, 6).softmax(-1)
    got = M.average_heads(weights)
    assert got.shape == (2, 3, 5, 6)
    torch.testing.assert_close(got, sum(weights[:, :, h] for h in range(4)) / 4)
    torch.testing.assert_close(got.sum(-1), torch.ones(2, 3, 5, dtype=torch.float64))


def test_entropy_equals_a_loop_and_torch():
    mask = normal(3, 5, 7, seed=1) > 0
    mask[0, 0], mask[0, 1] = False, False
    mask[0, 1, 2] = True
    weights = normal(2, 3, 5, 7).masked_fill(~mask, -math.inf).softmax(-1).nan_to_num(0.0)
    got = M.attention_entropy(weights, mask)
    for b in range(2):
        for h in range(3):
            for t in range(5):
                n = int(mask[h, t].sum())
                want = sum(-w * math.log(w) for w in weights[b, h, t].tolist() if w > 0) / math.log(n) if n > 1 else 0.0
                assert float(got[b, h, t]) == pytest.approx(want, abs=1e-12)
    full = normal(4, 7).softmax(-1)
    torch.testing.assert_close(M.attention_entropy(full), torch.distributions.Categorical(full).entropy() / math.log(7))
    assert M.attention_entropy(torch.ones(3, 1)).tolist() == [0.0, 0.0, 0.0]


def test_entropy_has_finite_gradients_at_zero_weights():
    weights = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype=torch.float64, requires_grad=True)
    M.attention_entropy(weights).sum().backward()
    assert weights.grad.isfinite().all()
    w = normal(2, 4).softmax(-1).requires_grad_()
    assert torch.autograd.gradcheck(M.attention_entropy, (w,))


def test_effective_rank_of_known_matrices():
    assert M.effective_rank(torch.outer(normal(4), normal(6, seed=1))) == pytest.approx(1)
    assert M.effective_rank(torch.linalg.qr(normal(6, 4))[0]) == pytest.approx(4)
    sizes = torch.tensor([4.0, 1.0, 0.5], dtype=torch.float64)
    p = [4 / 5.5, 1 / 5.5, 0.5 / 5.5]
    want = math.exp(-sum(x * math.log(x) for x in p))
    assert M.effective_rank(torch.linalg.qr(normal(5, 3))[0] @ torch.diag(sizes)) == pytest.approx(want)
    assert M.effective_rank(7 * normal(5, 3)) == pytest.approx(M.effective_rank(normal(5, 3)))


def test_saturation_counts_rows_strictly_over_the_threshold():
    weights = torch.tensor([[[1.0, 0.0], [0.5, 0.5]], [[0.25, 0.75], [0.0, 0.0]]])
    assert [M.saturation(weights, t) for t in (0.4, 0.5, 0.75, 0.95, 1.0)] == [0.75, 0.5, 0.25, 0.25, 0.0]


def test_head_importance_is_the_rise_without_a_head_and_survives_a_loss_that_writes():
    gain = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
    seen = []

    def loss_fn(on):
        seen.append(on.clone())
        loss = 3 - (gain * on).sum()
        on.zero_()
        return loss

    got = M.head_importance(loss_fn, 3)
    torch.testing.assert_close(got, torch.tensor([1.0, -2.0, 0.5]))
    assert not got.requires_grad
    off = sorted(tuple(s.tolist()) for s in seen)
    assert off == sorted([(1, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)])


def test_causal_maps_of_a_real_architecture_see_no_future():
    model = tiny("llama").eval()
    for weights in M.capture_attention(model, {"input_ids": torch.arange(6)[None]}):
        assert weights.shape == (1, 4, 6, 6)  # query heads, after the key-value heads were shared
        assert (weights[..., ~causal_mask(6)] == 0).all()
