"""load_balancing_loss and update_expert_bias."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ...models.mamba_moe import experts as reference
from ..core.exercise import Case, Exercise, Mistake

# --- load_balancing_loss -------------------------------------------------------------------------------------------


def balance_inputs(draw, tokens=12, experts=5, k=2, dtype=torch.float64):
    """Probabilities of a router that favours some experts, the choices, and E."""
    logits = draw.normal(tokens, experts) + torch.linspace(1.5, -1.5, experts, dtype=torch.float64)
    return [torch.softmax(logits, -1).to(dtype), logits.topk(k, dim=-1).indices, experts]


def slow_balance(probs, indices, num_experts):
    """E Σ f P, by counting."""
    choices = [int(e) for row in indices for e in row]
    mean = [sum(row[e] for row in probs) / len(probs) for e in range(num_experts)]
    return num_experts * sum(choices.count(e) / len(choices) * mean[e] for e in range(num_experts))


def even_inputs(draw, experts=4):
    """Every expert is chosen equally often, and every probability is 1/E: the loss is 1."""
    probs = torch.full((2 * experts, experts), 1 / experts, dtype=torch.float64)
    first = torch.arange(2 * experts) % experts
    return [probs, torch.stack([first, (first + 1) % experts], dim=1)[draw.permutation(2 * experts)], experts]


def _hits(probs, indices):
    return F.one_hot(indices, probs.shape[-1]).to(probs.dtype)  # (tokens, k, E)


def _balance(share=None, mean=None, total=None):
    def load_balancing_loss(router_probs, indices, num_experts):
        f = share(router_probs, indices) if share else _hits(router_probs, indices).mean((0, 1))
        p = mean(router_probs) if mean else router_probs.mean(0)
        return total(f, p) if total else num_experts * (f * p).sum()

    return load_balancing_loss


def _soft_share(probs, indices):
    return probs.mean(0)


def _through(probs, indices):
    """Shares with the right value, whose gradient is that of the probabilities of the chosen."""
    hits = _hits(probs, indices)
    soft = (hits * probs[:, None, :]).mean((0, 1))
    return hits.mean((0, 1)) + soft - soft.detach()


LOAD_BALANCING_LOSS = Exercise(
    name="load_balancing_loss",
    points=1,
    reference=reference.load_balancing_loss,
    forbid=(),
    cases=(
        Case("an uneven load", balance_inputs, slow_balance, grad=True),
        Case("one choice per token", lambda draw: balance_inputs(draw, k=1), slow_balance, grad=True),
        Case("an even load", even_inputs, lambda p, i, e: torch.ones((), dtype=torch.float64)),
        Case("an expert that nobody chose", lambda draw: balance_inputs(draw, tokens=2, experts=7), slow_balance),
        Case("float32", lambda draw: balance_inputs(draw, dtype=torch.float32), slow_balance),
    ),
    mistakes=(
        Mistake(
            "without_e",
            "your loss is too small by the factor E. What must it be when all is uniform?",
            _balance(total=lambda f, p: (f * p).sum()),
        ),
        Mistake(
            "not_divided_by_k",
            "your shares sum to k. What do shares of all choices sum to?",
            _balance(share=lambda probs, indices: _hits(probs, indices).sum(1).mean(0)),
        ),
        Mistake(
            "counts_for_shares",
            "you multiply by counts, so the loss grows with the number of tokens. By what must counts be divided?",
            _balance(share=lambda probs, indices: _hits(probs, indices).sum((0, 1))),
        ),
        Mistake(
            "sums_for_means",
            "you sum the probabilities over the tokens. What is P_e?",
            _balance(mean=lambda probs: probs.sum(0)),
        ),
        Mistake(
            "gradient_through_f",
            "f is made of probabilities, so it is not the share of choices, and a gradient flows through it. "
            "What does f count?",
            _balance(share=_soft_share),
        ),
        Mistake(
            "gradient_through_counted_f",
            "the value is right, but a gradient flows through f. Is a count differentiable?",
            _balance(share=_through),
        ),
        Mistake(
            "p_detached",
            "no gradient reaches the probabilities. Which of f and P can learn?",
            _balance(mean=lambda probs: probs.detach().mean(0)),
        ),
        Mistake(
            "first_choice_only",
            "only the first choice of each token is counted. How many choices are there?",
            _balance(share=lambda probs, indices: _hits(probs, indices[:, :1]).mean((0, 1))),
        ),
        Mistake(
            "mean_over_experts",
            "you take the mean over the experts. What stands before Σ f P?",
            _balance(total=lambda f, p: (f * p).mean()),
        ),
        Mistake(
            "squared_shares",
            "your loss is E Σ f², which has no gradient. With what is f_e multiplied?",
            _balance(total=lambda f, p: len(f) * (f * f).sum() + 0 * p.sum().detach()),
        ),
        Mistake(
            "product_of_means",
            "you multiply per token before the mean over the tokens. Which two means are multiplied per expert?",
            lambda probs, indices, n: n * (_hits(probs, indices).mean(1) * probs).sum(1).mean(),
        ),
    ),
)

# --- update_expert_bias --------------------------------------------------------------------------------------------


def _bias(step):
    def update_expert_bias(bias, load, rate):
        return bias + rate * step(load.to(bias.dtype)).to(bias.dtype)

    return update_expert_bias


UPDATE_EXPERT_BIAS = Exercise(
    name="update_expert_bias",
    points=0.5,
    reference=reference.update_expert_bias,
    forbid=(),
    cases=(
        Case("whole numbers", lambda draw: [draw.normal(6), draw.integers(0, 40, 6), 0.1]),
        Case("floats", lambda draw: [draw.normal(6), draw.uniform(6, high=40.0), 0.25]),
        Case("an expert at the mean", lambda draw: [draw.normal(3), torch.tensor([1, 2, 3])[draw.permutation(3)], 0.1]),
        Case(
            "a mean between whole numbers",
            lambda draw: [draw.normal(4), torch.tensor([2, 3, 3, 3])[draw.permutation(4)], 0.5],
        ),
        Case("float32", lambda draw: [draw.normal(6, dtype=torch.float32), draw.integers(0, 40, 6), 0.1]),
    ),
    mistakes=(
        Mistake(
            "sign",
            "experts with too many tokens get a larger bias. Which way must the bias of a busy expert go?",
            _bias(lambda load: torch.sign(load - load.mean())),
        ),
        Mistake(
            "no_sign",
            "your step grows with the distance from the mean. What of the distance counts?",
            _bias(lambda load: load.mean() - load),
        ),
        Mistake(
            "relative_distance",
            "your step grows with the distance from the mean. What of the distance counts?",
            _bias(lambda load: (load.mean() - load) / load.mean()),
        ),
        Mistake(
            "all_one_way",
            "all biases go the same way. With what is each load compared?",
            _bias(lambda load: -torch.sign(load)),
        ),
        Mistake(
            "median",
            "you compare with the median. With what is each load compared?",
            _bias(lambda load: torch.sign(load.median() - load)),
        ),
        Mistake(
            "mean_rounded",
            "your mean is a whole number, so experts just beside the mean count as equal to it. What is the mean of 2 "
            "and 3?",
            _bias(lambda load: torch.sign(load.mean().floor() - load)),
        ),
        Mistake(
            "busy_only",
            "only busy experts change. What happens to those with too few tokens?",
            _bias(lambda load: torch.sign(load.mean() - load).clamp(max=0)),
        ),
        Mistake(
            "bias_replaced",
            "you return the step alone. To what is it added?",
            lambda bias, load, rate: rate * torch.sign(load.to(bias.dtype).mean() - load) + 0 * bias,
        ),
    ),
)
