"""The animals of chapter 09: rewards are counted, samples end, comparisons are as noisy as they say."""

import copy

import pytest
import torch

from tformer_course.training import rlhf_dpo as world
from tformer_course.training.rlhf_dpo.loops import entropy_of, masked_mean


def rows_of(*answers):
    return world.to_rows([(animal, words.split()) for animal, words in answers])


def test_true_reward_counts_facts_manners_errors_and_what_is_too_many():
    rows = rows_of(
        ("fox", "red sly den thanks thanks thanks"),
        ("fox", "red red"),
        ("fox", "wise"),
        ("owl", "wise um"),
        ("cow", ""),
        ("fox", "fox"),
        ("bee", "thanks thanks thanks thanks thanks"),
    )
    assert world.true_reward(rows).tolist() == [4.5, 0.0, -1.0, 0.5, 0.0, -1.0, -0.5]


def test_what_follows_the_end_token_does_not_count():
    row = rows_of(("fox", "red"))
    other = row.clone()
    other[0, 3:] = world.THANKS
    assert world.true_reward(other) == world.true_reward(row) == 1
    assert world.answer_mask(other).tolist() == [[False, True, True] + [False] * (world.LENGTH - 3)]
    assert world.lengths(row).tolist() == [2]


def test_examples_fit_repeat_no_fact_and_are_not_too_polite():
    rows = world.example_rows(500, seed=3)
    for row in rows.tolist():
        facts = [i for i in row[1:] if i > world.UM]
        assert len(facts) == len(set(facts)) and world.END in row
        assert row.count(world.THANKS) <= world.WELCOME


def test_samples_end_and_have_the_log_probabilities_of_the_policy():
    policy = world.new_policy(0)
    rows = world.sample(policy, world.prompts(50), torch.Generator().manual_seed(0))
    ends = (rows == world.END).int().cumsum(-1)
    assert (rows[(ends - (rows == world.END).int()) > 0] == world.PAD).all()
    log_p = world.token_log_probs(policy, rows)
    assert log_p.shape == (50, world.LENGTH - 1) and (log_p <= 0).all()


def test_comparisons_are_decided_with_bradley_terrys_probability():
    policy = world.new_policy(1)
    pairs = world.compare(policy, 2000, seed=0)
    margin = world.true_reward(pairs.chosen) - world.true_reward(pairs.rejected)
    # of each pair: probability of what was chosen; its mean is the mean of p² + (1 − p)²
    p = margin.sigmoid()
    assert p.mean().item() == pytest.approx((p**2 + (1 - p) ** 2).mean().item(), abs=0.03)
    assert torch.equal(pairs.chosen[:, 0], pairs.rejected[:, 0])


def test_a_reward_model_reads_the_last_real_token_and_is_normalised():
    policy = world.new_policy(2)
    model = world.RewardModel(policy)
    torch.nn.init.normal_(model.stack.head.weight)
    rows = world.example_rows(40, seed=5)
    model.normalise(rows)
    rewards = model(rows)
    torch.testing.assert_close(rewards.mean(), torch.zeros(()), atol=1e-5, rtol=0)
    torch.testing.assert_close(rewards.std(), torch.ones(()), atol=1e-5, rtol=0)
    alone = model(rows[:1, : int(world.lengths(rows[:1])) + 1])  # without its padding
    torch.testing.assert_close(alone, rewards[:1], atol=1e-5, rtol=1e-4)


def test_entropy_and_masked_mean():
    assert entropy_of(torch.zeros(3, 8)).tolist() == pytest.approx([torch.log(torch.tensor(8.0)).item()] * 3)
    assert masked_mean(torch.tensor([1.0, 2.0, 100.0]), torch.tensor([True, True, False])) == 1.5


def test_a_short_run_of_ppo_raises_the_proxy_and_leaves_the_reference_alone():
    policy, reward_model = world.trained_policy(), world.trained_reward_model()
    learner = copy.deepcopy(policy)
    history = world.train_ppo(learner, reward_model, beta=0.1, steps=8, look_every=8)
    assert history.looks["proxy"][-1] > history.looks["proxy"][0] + 0.2
    assert history.looks["kl"][0] == 0 < history.looks["kl"][-1]


def test_a_short_run_of_dpo_widens_the_margin():
    policy = world.trained_policy()
    pairs = world.compare(policy, 300, seed=9)
    history = world.train_dpo(copy.deepcopy(policy), pairs, 0.2, steps=15, look_every=15)
    margin = [c - r for c, r in zip(history.looks["chosen"], history.looks["rejected"], strict=True)]
    assert margin[-1] > margin[0]
