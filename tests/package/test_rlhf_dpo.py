"""The references of chapter 09 against torch, slow loops, closed forms and properties."""

import doctest
import math

import pytest
import torch
import torch.nn.functional as F

from tests.package.draws import normal
from tformer_course.models.rlhf_dpo import (
    best_of_n,
    dpo_loss,
    gae,
    kl_estimates,
    last_token_rewards,
    policy,
    ppo_loss,
    preference_loss,
    preferences,
    sequence_log_probs,
    shaped_rewards,
    win_rate,
)

SPANS = [(0, 5), (2, 7), (1, 4), (3, 3), (6, 7)]  # first and last token that count, of five rows of seven


def spans():
    places = torch.arange(7)
    return torch.stack([(places >= first) & (places < end) for first, end in SPANS])


def gradient(value, *inputs):
    return torch.autograd.grad(value, inputs, retain_graph=True)


@pytest.mark.parametrize("module", [preferences, policy])
def test_doctests_hold(module):
    assert doctest.testmod(module).failed == 0


def test_sequence_log_probs_adds_up_the_marked_tokens_one_position_later():
    logits, mask = normal(5, 7, 4), spans()
    tokens = torch.randint(4, (5, 7), generator=torch.Generator().manual_seed(1))
    want = [
        sum(logits[b, t - 1].log_softmax(-1)[tokens[b, t]] for t in range(max(first, 1), end)) + torch.zeros(())
        for b, (first, end) in enumerate(SPANS)
    ]
    torch.testing.assert_close(sequence_log_probs(logits, tokens, mask), torch.stack(want).double())


def test_probabilities_of_all_answers_add_up_to_one():
    """All 3^2 answers of two tokens after one prompt, by a model that looks at the last token alone."""
    table = normal(3, 3)
    answers = torch.cartesian_prod(torch.tensor([0]), *[torch.arange(3)] * 2)
    mask = torch.tensor([False, True, True]).expand(9, -1)
    total = sequence_log_probs(table[answers], answers, mask).exp().sum()
    torch.testing.assert_close(total, torch.ones_like(total))


def test_padding_never_matters_not_even_nan_or_minus_100():
    logits, mask, tokens = (
        normal(2, 5, 4),
        torch.tensor([[False, True, True, False, False]] * 2),
        torch.ones(2, 5).long(),
    )
    odd, odd_tokens = logits.clone(), tokens.clone()
    odd[:, 2:], odd_tokens[:, 3:] = torch.nan, -100  # the scores at 2 are of the token at 3
    odd.requires_grad_()
    value = sequence_log_probs(odd, odd_tokens, mask)
    torch.testing.assert_close(value, sequence_log_probs(logits, tokens, mask))
    assert gradient(value.sum(), odd)[0].isfinite().all()


def test_preference_loss_is_cross_entropy_of_two_and_does_not_see_a_shift():
    chosen, rejected = normal(6).requires_grad_(), normal(6, seed=1).requires_grad_()
    want = F.cross_entropy(torch.stack([chosen, rejected], dim=-1), torch.zeros(6, dtype=torch.long))
    loss = preference_loss(chosen, rejected)
    torch.testing.assert_close(loss, want)
    torch.testing.assert_close(gradient(loss, chosen, rejected), gradient(want, chosen, rejected))
    torch.testing.assert_close(preference_loss(chosen + 7, rejected + 7), loss)
    assert preference_loss(torch.tensor([-1000.0]), torch.tensor([1000.0])) == 2000
    assert preference_loss(torch.zeros(0), torch.zeros(0)) == 0


def test_last_token_rewards_reads_behind_any_padding():
    scores = normal(5, 7).requires_grad_()
    rewards = last_token_rewards(scores, spans())
    want = torch.stack(
        [scores[b, end - 1] if first < end else 0 * scores[b, 0] for b, (first, end) in enumerate(SPANS)]
    )
    torch.testing.assert_close(rewards, want)
    torch.testing.assert_close(gradient(rewards.sum(), scores), gradient(want.sum(), scores))


def test_kl_estimates_have_the_means_that_they_promise():
    p, q = (normal(6, seed=seed).softmax(-1) for seed in (0, 1))
    exact = (p * (p / q).log()).sum()
    k1, k2, k3 = kl_estimates(p.log(), q.log())
    torch.testing.assert_close((p * k1).sum(), exact)
    torch.testing.assert_close((p * k3).sum(), exact)
    torch.testing.assert_close((p * k2).sum(), (p * (p / q).log() ** 2).sum() / 2)
    assert (k2 >= 0).all() and (k3 >= 0).all()


def test_k3_is_not_negative_where_the_two_are_nearly_equal():
    near = normal(1000, dtype=torch.float32) * 1e-5
    assert kl_estimates(near, torch.zeros(1000))[2].min() >= -1e-6


def test_losses_of_the_estimates_have_the_gradients_of_the_chapter():
    """From samples of p itself: k1's mean gradient is 0, k2's that of KL(p‖q), k3's that of KL(q‖p)."""
    logits, q = normal(5).requires_grad_(), normal(5, seed=1).softmax(-1)
    log_p = logits.log_softmax(-1)
    p = log_p.exp()
    found = [gradient((p.detach() * k).sum(), logits)[0] for k in kl_estimates(log_p, q.log())]
    reverse, forward = gradient((p * (log_p - q.log())).sum(), logits), gradient((q * (q.log() - log_p)).sum(), logits)
    torch.testing.assert_close(found, [torch.zeros(5).double(), reverse[0], forward[0]])


def test_shaped_rewards_add_up_to_the_score_less_the_price():
    score, log_p, log_ref, mask = normal(5), normal(5, 7), normal(5, 7, seed=1), spans()
    rewards = shaped_rewards(score, log_p, log_ref, 0.3, mask)
    assert not rewards[~mask].any()
    want = score * mask.any(-1) - 0.3 * ((log_p - log_ref) * mask).sum(-1)
    torch.testing.assert_close(rewards.sum(-1), want)
    torch.testing.assert_close(rewards[1, 6], score[1] - 0.3 * (log_p - log_ref)[1, 6])


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.9, 0.5), (0.99, 0.0), (0.9, 1.0)])
def test_gae_is_the_weighted_sum_of_all_later_deltas(gamma, lam):
    rewards, values, mask = normal(5, 7), normal(5, 7, seed=1), spans()
    want = torch.zeros(5, 7).double()
    for b, (first, end) in enumerate(SPANS):
        for t in range(first, end):
            for s in range(t, end):
                after = values[b, s + 1] if s + 1 < end else 0.0
                want[b, t] += (gamma * lam) ** (s - t) * (rewards[b, s] + gamma * after - values[b, s])
    advantages, returns = gae(rewards, values, mask, gamma, lam)
    torch.testing.assert_close(advantages, want)
    torch.testing.assert_close(returns, (want + values) * mask)


def test_gae_with_lambda_one_returns_the_rewards_to_come():
    rewards, mask = normal(5, 7), spans()
    _, returns = gae(rewards, normal(5, 7, seed=2), mask, 1.0, 1.0)
    torch.testing.assert_close(returns, (rewards * mask).flip(-1).cumsum(-1).flip(-1) * mask)


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "moves"),
    [(1.1, 1, -1.1, True), (1.5, 1, -1.2, False), (0.5, 1, -0.5, True), (1.5, -1, 1.5, True), (0.5, -1, 0.8, False)],
)
def test_ppo_loss_is_the_pessimistic_one_of_two(ratio, advantage, loss, moves):
    log_p, one = torch.tensor([[math.log(ratio)]], requires_grad=True), torch.ones(1, 1)
    value = ppo_loss(log_p, 0 * one, advantage * one, one.bool())
    assert value.item() == pytest.approx(loss)
    assert bool(gradient(value, log_p)[0].any()) == moves


def test_ppo_loss_is_a_mean_over_tokens_and_only_the_policy_learns():
    log_p, old, advantages, mask = normal(5, 7), normal(5, 7, seed=1), normal(5, 7, seed=2), spans()
    log_p[~mask] = 1e4
    leaves = [x.requires_grad_() for x in (log_p, old, advantages)]
    loss = ppo_loss(*leaves, mask, 0.3)
    terms = []
    for b, t in mask.nonzero().tolist():
        ratio = (log_p[b, t] - old[b, t]).exp().item()
        gain = advantages[b, t].item()
        terms.append(min(ratio * gain, max(0.7, min(1.3, ratio)) * gain))
    assert loss.item() == pytest.approx(-sum(terms) / len(terms))
    loss.backward()
    assert log_p.grad[mask].any() and not log_p.grad[~mask].any() and old.grad is None and advantages.grad is None


def test_ppo_loss_over_nothing_is_zero():
    log_p = normal(2, 3).requires_grad_()
    loss = ppo_loss(log_p, normal(2, 3), normal(2, 3), torch.zeros(2, 3, dtype=torch.bool))
    loss.backward()
    assert loss == 0 and not log_p.grad.any()


def test_dpo_loss_is_cross_entropy_on_implicit_rewards():
    chosen, rejected, ref_chosen, ref_rejected = (normal(4, seed=seed).requires_grad_() for seed in range(4))
    loss, good, bad = dpo_loss(chosen, rejected, ref_chosen, ref_rejected, 0.5)
    torch.testing.assert_close(good, 0.5 * (chosen - ref_chosen).detach())
    want = F.binary_cross_entropy_with_logits(good - bad, torch.ones(4).double())
    torch.testing.assert_close(loss.detach(), want)
    loss.backward()
    torch.testing.assert_close(chosen.grad, -0.5 * (bad - good).sigmoid() / 4)
    assert ref_chosen.grad is None and not good.requires_grad
    assert dpo_loss(*torch.tensor([[-1e4], [1e4], [0.0], [0.0]]), 1.0)[0] == 2e4


def test_dpo_on_exact_preferences_finds_the_optimum_of_the_kl_problem():
    """A bandit of six answers: π ∝ π_ref exp(r/β), from Bradley–Terry probabilities of all pairs alone."""
    reward, ref, beta = normal(6), normal(6, seed=1).softmax(-1), 0.5
    logits = ref.log().clone().requires_grad_()
    i, j = torch.triu_indices(6, 6, offset=1)
    prefers = (reward[i] - reward[j]).sigmoid()
    optimizer = torch.optim.LBFGS([logits], max_iter=500, tolerance_grad=1e-14, tolerance_change=1e-16)

    def closure():
        optimizer.zero_grad()
        log_p = logits.log_softmax(-1)
        margin = beta * ((log_p - ref.log())[i] - (log_p - ref.log())[j])
        loss = -(prefers * F.logsigmoid(margin) + (1 - prefers) * F.logsigmoid(-margin)).mean()
        loss.backward()
        return loss

    for _ in range(20):
        optimizer.step(closure)
    closed = (ref.log() + reward / beta).softmax(-1)
    assert (logits.softmax(-1) - closed).abs().max() < 1e-6


def test_best_of_n_takes_the_first_of_ties():
    assert best_of_n(torch.tensor([[0.0, 2.0, 2.0], [3.0, 1.0, 3.0]])).tolist() == [1, 0]
    scores = normal(2, 3, 8)
    torch.testing.assert_close(scores.gather(-1, best_of_n(scores)[..., None])[..., 0], scores.max(-1).values)


def test_win_rate_counts_ties_half_and_the_other_side_has_the_rest():
    a, b = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([0.0, 2.0, 4.0, 4.0])
    assert win_rate(a, b) == 0.5 and type(win_rate(a, b)) is float
    x, y = normal(101), normal(101, seed=1)
    assert win_rate(x, y) + win_rate(y, x) == pytest.approx(1)
