"""The references of chapter 08 against torch, slow loops, closed forms and properties."""

import copy
import doctest
import gc
import importlib.util
import math
import weakref

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.package.draws import normal
from tformer_course.models.attention import scaled_dot_product_attention
from tformer_course.models.pretrain_finetune import (
    LoRALinear,
    accumulate_gradients,
    adamw_step,
    add_lora,
    cosine_with_warmup,
    examples,
    lora,
    losses,
    merge_lora,
    mlm_loss,
    next_token_loss,
    optimiser,
    pack_examples,
    packed_mask,
    perplexity,
    sft_labels,
    trainable_share,
)


def integers(high, *shape, seed=0):
    return torch.randint(high, shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("module", [losses, optimiser, examples, lora])
def test_doctests_hold(module):
    assert doctest.testmod(module).failed == 0


# --- losses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ignore_index", [-100, 0])
def test_next_token_loss_is_torchs_on_shifted_labels_with_its_gradient(ignore_index):
    logits, tokens = normal(3, 6, 5).requires_grad_(), integers(5, 3, 6)
    tokens[0, 4:] = ignore_index
    want = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=ignore_index)
    loss = next_token_loss(logits, tokens, ignore_index)
    torch.testing.assert_close(loss, want)
    torch.testing.assert_close(*(torch.autograd.grad(x, logits, retain_graph=True)[0] for x in (loss, want)))


def test_padding_never_matters():
    logits, tokens = normal(2, 5, 4), integers(4, 2, 5)
    tokens[:, 3:] = -100
    other = logits.clone()
    other[:, 3:] = 1e4 * normal(2, 2, 4, seed=1)
    assert next_token_loss(logits, tokens) == next_token_loss(other, tokens)


def test_a_loss_over_nothing_is_zero_with_a_zero_gradient():
    for loss_of, logits, labels in (
        (mlm_loss, normal(2, 3, 4), torch.full((2, 3), -100)),
        (next_token_loss, normal(2, 1, 4), integers(4, 2, 1)),
    ):
        logits = logits.requires_grad_()
        loss = loss_of(logits, labels)
        loss.backward()
        assert loss == 0 and not logits.grad.any()


def test_mlm_loss_is_a_mean_over_the_labels():
    logits, labels = normal(2, 5, 4), torch.full((2, 5), -100)
    labels[0, 1], labels[1, 4] = 3, 0
    want = -(logits[0, 1].log_softmax(-1)[3] + logits[1, 4].log_softmax(-1)[0]) / 2
    torch.testing.assert_close(mlm_loss(logits, labels), want)


def test_losses_stay_finite_for_large_scores():
    logits = torch.tensor([[[1000.0, -1000.0]] * 3])
    assert next_token_loss(logits, torch.tensor([[0, 1, 0]])) == 1000.0


def test_perplexity_keeps_the_kind_of_its_input():
    assert type(perplexity(2.0)) is float and perplexity(2.0) == math.exp(2.0)
    loss = torch.tensor([1.0, 2.0], requires_grad=True)
    perplexity(loss).sum().backward()
    torch.testing.assert_close(loss.grad, loss.detach().exp())


# --- optimiser -----------------------------------------------------------------------------------------------------


def test_schedule_is_continuous_and_monotone_on_both_sides():
    rates = [cosine_with_warmup(step, 20, 120, 3e-3, 3e-4) for step in range(200)]
    assert rates[0] == 0 and rates[20] == 3e-3 and rates[120:] == [pytest.approx(3e-4)] * 80
    assert all(a < b for a, b in zip(rates[:20], rates[1:21], strict=True))
    assert all(a > b for a, b in zip(rates[20:120], rates[21:121], strict=True))
    assert cosine_with_warmup(0, 0, 10, 2.0, 1.0) == 2.0 and cosine_with_warmup(5, 0, 10, 2.0, 1.0) == pytest.approx(
        1.5
    )


def test_adamw_equals_torchs_over_many_steps():
    for settings in ({}, {"betas": (0.8, 0.95), "eps": 0.1, "weight_decay": 0.3}, {"weight_decay": 0.0}):
        parameter = nn.Parameter(normal(3, 4))
        optimizer = torch.optim.AdamW([parameter], lr=1.0, **settings)
        mine, state = parameter.detach().clone(), {}
        for step in range(200):
            lr = cosine_with_warmup(step + 1, 10, 200, 0.05)
            grad = normal(3, 4, seed=step + 1) * 10 ** (step % 5 - 3)
            mine, state = adamw_step(mine, grad, state, lr, **settings)
            optimizer.param_groups[0]["lr"] = lr
            parameter.grad = grad
            optimizer.step()
            torch.testing.assert_close(mine, parameter.detach(), rtol=1e-10, atol=1e-10)


def test_adamw_changes_nothing_in_place():
    param, grad, state = normal(3), normal(3, seed=1), {}
    first, after_one = adamw_step(param, grad, state, 0.1)
    kept = copy.deepcopy(after_one)
    adamw_step(first, grad, after_one, 0.1)
    assert state == {} and torch.equal(param, normal(3)) and torch.equal(grad, normal(3, seed=1))
    assert all(torch.equal(torch.as_tensor(after_one[k]), torch.as_tensor(kept[k])) for k in kept)


def squared(model, batch):
    x, y = batch
    return (model(x) - y).square().sum(), y.numel()


def test_accumulated_gradients_are_those_of_the_whole_batch():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).double()
    x, y = normal(11, 3), normal(11, 1, seed=1)
    whole = (model(x) - y).square().mean()
    want = torch.autograd.grad(whole, list(model.parameters()))
    whole = whole.item()
    model(x).sum().backward()  # old gradients
    pieces = zip(x.split([5, 0, 1, 4, 1]), y.split([5, 0, 1, 4, 1]), strict=True)
    assert accumulate_gradients(model, squared, pieces) == pytest.approx(whole)
    for parameter, gradient in zip(model.parameters(), want, strict=True):
        torch.testing.assert_close(parameter.grad, gradient)


def test_accumulation_over_nothing_is_zero_and_clears():
    model = nn.Linear(2, 1)
    model(torch.ones(1, 2)).sum().backward()
    assert accumulate_gradients(model, lambda m, b: (torch.zeros(()), torch.tensor(0)), [1, 2]) == 0.0
    assert all(p.grad is None or not p.grad.any() for p in model.parameters())


def test_only_one_graph_is_alive_at_a_time():
    model, alive = nn.Linear(4, 1), []

    class Watched(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark = type("Mark", (), {})()
            alive.append(weakref.ref(ctx.mark))
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    def loss_fn(model, x):
        gc.collect()
        assert sum(mark() is not None for mark in alive) <= 1  # the last part's, until its name is taken again
        return Watched.apply(model(x)).sum(), len(x)

    accumulate_gradients(model, loss_fn, (torch.ones(n, 4) for n in (3, 1, 2, 5)))
    assert len(alive) == 4


# --- examples ------------------------------------------------------------------------------------------------------


def test_labels_count_the_answer_and_its_end():
    ids = torch.tensor([[1, 2, 3, 4, 9, 9], [1, 2, 9, 9, 9, 9], [1, 2, 3, 4, 5, 9]])
    labels = sft_labels(ids, torch.tensor([2, 1, 0]), torch.tensor([5, 3, 6]))
    n = -100
    assert labels.tolist() == [[n, n, 3, 4, 9, n], [n, 2, 9, n, n, n], [1, 2, 3, 4, 5, 9]]


def test_packing_keeps_order_ends_and_never_splits():
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(0, 9, (50,), generator=generator).tolist()
    texts = [[100 * i + j for j in range(n)] for i, n in enumerate(lengths, 1)]
    ids, segments = pack_examples(texts, 16, 7)
    found = []
    for row, marks in zip(ids.tolist(), segments.tolist(), strict=True):
        for segment in range(1, max(marks) + 1):
            found.append([t for t, s in zip(row, marks, strict=True) if s == segment])
        assert sorted(s for s in marks if s) == [s for s in marks if s] and set(row[marks.count(0) * -1 or 16 :]) <= {7}
    assert found == [[*text, 7] for text in texts]
    used = [16 - row.count(0) for row in segments.tolist()]
    firsts = [row.count(1) for row in segments.tolist()]
    assert all(a + b > 16 for a, b in zip(used, firsts[1:], strict=False)), "a new row only where the next did not fit"


def test_packing_refuses_what_does_not_fit():
    assert pack_examples([[1, 2, 3]], 4, 0)[0].tolist() == [[1, 2, 3, 0]]
    with pytest.raises(ValueError, match="4.*3"):
        pack_examples([[1, 2, 3]], 3, 0)
    assert pack_examples([], 4, 0)[0].shape == (0, 4)


def test_packed_attention_is_the_separate_attention():
    segments = torch.tensor([[1, 1, 1, 2, 2, 3, 0, 0]])
    q, k, v = (normal(1, 2, 8, 4, seed=s) for s in range(3))
    together, _ = scaled_dot_product_attention(q, k, v, packed_mask(segments))
    for part in (slice(0, 3), slice(3, 5), slice(5, 6)):
        alone = F.scaled_dot_product_attention(q[..., part, :], k[..., part, :], v[..., part, :], is_causal=True)
        torch.testing.assert_close(together[..., part, :], alone)
    assert not together[..., 6:, :].any()


# --- LoRA ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_lora_starts_as_the_layer_and_merges_to_what_it_computes(bias, dtype):
    linear = nn.Linear(6, 4, bias=bias, dtype=dtype)
    layer, x = LoRALinear(linear, 3, 12), normal(2, 5, 6, dtype=dtype)
    torch.testing.assert_close(layer(x), linear(x), rtol=0, atol=0)
    with torch.no_grad():
        layer.lora_b.copy_(normal(4, 3, dtype=dtype))
    want = F.linear(x, linear.weight + 4 * layer.lora_b @ layer.lora_a, linear.bias)
    torch.testing.assert_close(layer(x), want)
    merged = layer.merge()
    torch.testing.assert_close(merged(x), want)
    assert type(merged) is nn.Linear and (merged.bias is None) == (not bias)
    before = merged(x)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(1.0)
    assert torch.equal(merged(x), before), "the merged layer shares no memory"


def test_only_the_two_matrices_are_trained_and_b_first():
    linear = nn.Linear(6, 4)
    layer = LoRALinear(linear, 2, 4)
    assert layer.linear is linear
    assert [n for n, p in layer.named_parameters() if p.requires_grad] == ["lora_a", "lora_b"]
    layer(torch.randn(3, 6)).square().sum().backward()
    assert layer.lora_b.grad.any() and not layer.lora_a.grad.any() and linear.weight.grad is None


def test_lora_in_a_model_is_added_and_merged():
    model = nn.ModuleDict({"q_proj": nn.Linear(4, 4), "rest": nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])})
    x = torch.randn(3, 4)
    before = model["q_proj"](x)
    add_lora(model, 2, 4, ["q_proj"])
    assert torch.equal(model["q_proj"](x), before)
    assert trainable_share(model) == pytest.approx(16 / (60 + 16))
    merge_lora(model)
    assert type(model["q_proj"]) is nn.Linear
    torch.testing.assert_close(model["q_proj"](x), before)
    with pytest.raises(ValueError, match="k_proj"):
        add_lora(model, 2, 4, ["k_proj"])


def test_trainable_share_counts_elements_once_and_no_buffers():
    model = nn.Sequential(nn.Embedding(10, 4), nn.BatchNorm1d(4), nn.Linear(4, 10, bias=False))
    model[2].weight = model[0].weight
    assert trainable_share(model) == 1.0
    model[0].weight.requires_grad_(False)
    assert trainable_share(model) == pytest.approx(8 / 48)
    assert trainable_share(nn.ReLU()) == 0.0


@pytest.mark.skipif(importlib.util.find_spec("peft") is None, reason="peft is not installed")
def test_lora_equals_peft():
    import peft

    torch.manual_seed(0)
    linear = nn.Linear(6, 4)
    ours = LoRALinear(copy.deepcopy(linear), 3, 12)
    config = peft.LoraConfig(r=3, lora_alpha=12, target_modules=["0"])
    theirs = peft.get_peft_model(nn.Sequential(linear), config)
    inner = theirs.base_model.model[0]
    with torch.no_grad():
        ours.lora_b.normal_()
        inner.lora_A["default"].weight.copy_(ours.lora_a)
        inner.lora_B["default"].weight.copy_(ours.lora_b)
    x = torch.randn(5, 6)
    torch.testing.assert_close(ours(x), theirs(x))
    torch.testing.assert_close(ours.merge()(x), theirs.merge_and_unload()(x))
