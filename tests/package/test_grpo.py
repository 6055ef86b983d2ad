"""The references of chapter 10 against slow loops, brute force, closed forms and properties."""

import copy
import doctest
import itertools
import math

import pytest
import torch
from torch import nn

from tests.package.draws import normal
from tformer_course.models.grpo import (
    GrpoBatch,
    completion_log_probs,
    group_advantages,
    grpo_loss,
    objective,
    pass_at_k,
    rewards,
    rule_reward,
    sample_group,
    token_weights,
    train_grpo,
)
from tformer_course.training import grpo as world


def mask_of(lengths, length):
    return torch.arange(length) < torch.tensor(lengths).unsqueeze(-1)


@pytest.mark.parametrize("module", [objective, rewards])
def test_doctests_hold(module):
    assert doctest.testmod(module).failed == 0


# --- rewards -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["7", "7.0", " 7\n", "+7", "07", "7e0", "0.7E+1", "70e-1"])
def test_any_decimal_numeral_that_equals_the_answer_earns_all(content):
    assert rule_reward(f"so <answer>{content}</answer>.", 7) == 1.0
    assert rule_reward(f"<answer>{content}</answer>", "7.00") == 1.0


@pytest.mark.parametrize(
    "content", ["", "17", "-7", "7 7", "7,0", "7_0", "nan", "inf", "seven", "0x7", "7.0.0", "7e", "--7"]
)
def test_any_other_content_earns_the_form_alone(content):
    assert rule_reward(f"<answer>{content}</answer>", 7) == 0.1


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "",
        "<answer>7",
        "7</answer>",
        "</answer>7<answer>",
        "<answer>7</answer><answer>7</answer>",
        "<Answer>7</Answer>",
    ],
)
def test_without_exactly_one_pair_of_tags_there_is_nothing(text):
    assert rule_reward(text, 7) == 0.0


def test_a_long_completion_is_no_trouble():
    for long in ("9" * 100_000, "<" * 100_000, " " * 100_000, "1e" * 50_000, "7" + " " * 100_000 + "x"):
        assert rule_reward(f"<answer>{long}</answer>", 7) == 0.1
        assert rule_reward(f"{long}<answer>7</answer>{long}", 7) == 1.0


def test_pass_at_k_is_the_share_of_choices_with_a_right_sample():
    for n in range(1, 8):
        for c in range(n + 1):
            for k in range(1, n + 1):
                choices = list(itertools.combinations([True] * c + [False] * (n - c), k))
                assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, choices)) / len(choices), abs=1e-12)


def test_pass_at_k_of_many_samples_and_of_too_many():
    assert pass_at_k(1000, 1, 500) == pytest.approx(0.5)
    assert 0 < pass_at_k(10**4, 3, 100) < 1
    for n, c, k in ((3, 1, 4), (3, 4, 1)):
        with pytest.raises(ValueError, match="3"):
            pass_at_k(n, c, k)


# --- advantages ----------------------------------------------------------------------------------------------------


def test_advantages_are_standard_scores_of_each_group():
    rewards_ = normal(3, 5)
    for row, got in zip(rewards_, group_advantages(rewards_), strict=True):
        mean = sum(row.tolist()) / 5
        deviation = math.sqrt(sum((r - mean) ** 2 for r in row.tolist()) / 5)
        assert got.tolist() == pytest.approx([(r - mean) / (deviation + 1e-4) for r in row.tolist()])
    centred = group_advantages(rewards_, normalize_std=False)
    assert centred.sum(dim=1).abs().max() < 1e-12 and torch.allclose(
        centred - centred[:, :1], rewards_ - rewards_[:, :1]
    )


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
def test_a_constant_group_teaches_nothing(value):
    assert group_advantages(torch.full((2, 16), value)).abs().max() < 1e-3


# --- loss ----------------------------------------------------------------------------------------------------------


def loop_loss(log_p, old, ref, advantages, mask, clip=0.2, beta=0.04, aggregate="sequence"):
    """Token by token, with Python's numbers and if."""
    count, length = mask.shape
    lengths, total = mask.sum(1).tolist(), log_p.new_zeros(())
    for i in range(count):
        for t in range(length):
            if not mask[i, t]:
                continue
            ratio = torch.exp(log_p[i, t] - old[i, t].detach())
            a = advantages[i].item()
            clipped = ratio > 1 + clip if a > 0 else ratio < 1 - clip
            gain = (1 + clip if a > 0 else 1 - clip) * a if clipped else ratio * a
            k3 = torch.exp(ref[i, t].detach() - log_p[i, t]) - 1 - (ref[i, t].detach() - log_p[i, t])
            by = {"sequence": count * lengths[i], "token": sum(lengths), "constant": count * length}[aggregate]
            total = total - (gain - beta * k3) / by
    return total


@pytest.mark.parametrize("aggregate", ["sequence", "token", "constant"])
def test_loss_is_that_of_a_slow_loop_with_its_gradient(aggregate):
    log_p = normal(5, 6).mul(0.4).requires_grad_()
    old, ref = normal(5, 6, seed=1) * 0.4, normal(5, 6, seed=2) * 0.4
    advantages, mask = normal(5, seed=3), mask_of([6, 1, 0, 4, 3], 6)
    for clip, beta in ((0.2, 0.04), (0.5, 0.0), (0.05, 1.0)):
        loss, want = (f(log_p, old, ref, advantages, mask, clip, beta, aggregate) for f in (grpo_loss, loop_loss))
        torch.testing.assert_close(loss, want)
        torch.testing.assert_close(*(torch.autograd.grad(x, log_p)[0] for x in (loss, want)))


@pytest.mark.parametrize("aggregate", ["sequence", "token", "constant"])
@pytest.mark.parametrize("junk", [1e4, float("nan"), float("-inf")])
def test_padding_never_matters(aggregate, junk):
    mask = mask_of([3, 0, 2], 4)
    inputs = [normal(3, 4, seed=s) * 0.1 for s in range(3)]
    spoiled = [x.masked_fill(~mask, junk).requires_grad_() for x in inputs]
    clean = grpo_loss(*inputs, normal(3), mask, aggregate=aggregate)
    loss = grpo_loss(*spoiled, normal(3), mask, aggregate=aggregate)
    assert loss == clean
    (gradient,) = torch.autograd.grad(loss, spoiled[0])
    assert gradient.isfinite().all() and not gradient[~mask].any() and gradient[mask].all()


def test_only_the_policy_gets_a_gradient_and_nothing_gives_zero():
    inputs = [normal(2, 3, seed=s).requires_grad_() for s in range(3)]
    advantages = normal(2).requires_grad_()
    loss = grpo_loss(*inputs, advantages, mask_of([3, 2], 3))
    found = torch.autograd.grad(loss, [*inputs, advantages], allow_unused=True)
    assert found[0].any() and found[1:] == (None, None, None)
    for aggregate in ("sequence", "token", "constant"):
        empty = grpo_loss(*inputs, advantages, mask_of([0, 0], 3), aggregate=aggregate)
        assert empty == 0 and not torch.autograd.grad(empty, inputs[0])[0].any()
    with pytest.raises(ValueError, match="mean"):
        grpo_loss(*inputs, advantages, mask_of([3, 2], 3), aggregate="mean")


@pytest.mark.parametrize("aggregate", ["sequence", "token", "constant"])
def test_token_weights_are_the_gradient_of_the_loss(aggregate):
    lengths = [4, 1, 0, 3]
    log_p = torch.zeros(4, 5, dtype=torch.float64, requires_grad=True)
    zeros = torch.zeros(4, 5, dtype=torch.float64)
    loss = grpo_loss(log_p, zeros, zeros, torch.ones(4), mask_of(lengths, 5), beta=0.0, aggregate=aggregate)
    (gradient,) = torch.autograd.grad(loss, log_p)
    weights = token_weights(torch.tensor(lengths), aggregate, 5)
    assert (-gradient[:, 0]).tolist() == pytest.approx(weights.tolist())


def test_token_weights_add_up_to_one():
    lengths = torch.tensor([5.0, 2.0, 9.0])
    for aggregate in ("sequence", "token"):
        assert (lengths * token_weights(lengths, aggregate, 10)).sum().item() == pytest.approx(1)
    assert token_weights(torch.tensor([0, 3]), "sequence", 4).dtype == torch.get_default_dtype()
    with pytest.raises(ValueError, match="sum"):
        token_weights(lengths, "sum", 10)


# --- sampling ------------------------------------------------------------------------------------------------------


class Table(nn.Module):
    """The next token depends on the last one alone."""

    def __init__(self, table):
        super().__init__()
        self.table = nn.Parameter(table)

    def forward(self, tokens):
        return self.table[tokens]


def test_groups_stand_together_and_end_at_the_first_end_token():
    model, prompts = Table(normal(5, 5)), torch.tensor([[0, 4, 1], [4, 2, 3]])
    tokens, mask, log_probs = sample_group(model, prompts, 50, 6, 0.7, 4, torch.Generator().manual_seed(0))
    assert tokens.shape == (2, 50, 9) and mask.shape == log_probs.shape == (2, 50, 6)
    assert (tokens[..., :3] == prompts.unsqueeze(1)).all()
    for row, real, log_p in zip(tokens.flatten(0, 1), mask.flatten(0, 1), log_probs.flatten(0, 1), strict=True):
        length = next((t + 1 for t in range(6) if row[3 + t] == 4), 6)
        assert real.tolist() == [t < length for t in range(6)]
        assert (row[3 + length :] == 4).all() and not log_p[length:].any()
        for t in range(length):
            want = (model.table[row[2 + t]] / 0.7).log_softmax(-1)[row[3 + t]]
            assert log_p[t].item() == pytest.approx(want.item())
    assert not log_probs.requires_grad


def test_shares_of_the_draws_follow_the_temperature():
    table = torch.tensor([[0.0, 1.0, 2.0]]).repeat(3, 1)
    for temperature in (0.5, 2.0):
        tokens, _, _ = sample_group(
            Table(table), torch.tensor([[0]]), 20000, 1, temperature, 9, torch.Generator().manual_seed(1)
        )
        shares = torch.bincount(tokens[0, :, 1], minlength=3) / 20000
        assert (shares - (table[0] / temperature).softmax(0)).abs().max() < 0.02


def test_sampled_log_probs_are_those_of_a_forward_pass():
    model = world.arithmetic_model(0)
    prompts = world.prompts_of([(17, 25), (90, 10)])
    tokens, mask, log_probs = sample_group(model, prompts, 3, 6, 1.3, world.END, torch.Generator().manual_seed(0))
    again = completion_log_probs(model, tokens.flatten(0, 1), 6, 1.3).view(2, 3, 6)
    torch.testing.assert_close(again[mask], log_probs[mask])


# --- the loop ------------------------------------------------------------------------------------------------------


def bandit(prompts=6, right=2):
    reward = lambda completions: (completions[..., 0] == right).float()  # noqa: E731
    return lambda generator: GrpoBatch(torch.zeros(prompts, 1, dtype=torch.int64), reward, 1, 9)


def test_rewards_alone_raise_what_is_rewarded_and_leave_the_reference():
    model = Table(torch.zeros(4, 4))
    reference = copy.deepcopy(model)
    history = train_grpo(model, reference, bandit(), 40, 8, 0.05, torch.Generator().manual_seed(0))
    assert len(history) == 40 and history[0] < 0.5
    assert model.table[0].softmax(0)[2] > 0.6 and not reference.table.any()


def test_a_constant_reward_changes_nothing():
    model = Table(normal(4, 4, dtype=torch.float32))
    before = model.table.detach().clone()
    batch = bandit()(None)._replace(reward=lambda completions: torch.ones(completions.shape[:2]))
    train_grpo(model, copy.deepcopy(model), lambda generator: batch, 5, 8, 0.1, torch.Generator().manual_seed(0))
    assert (model.table - before).abs().max() < 1e-6
