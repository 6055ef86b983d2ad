"""dpo_loss."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.rlhf_dpo import preferences as reference
from ..core.exercise import Case, Exercise, Mistake


def _rewards(policy: Tensor, ref: Tensor, beta: float) -> Tensor:
    return beta * (policy - ref)


def _variant(
    reward: Callable[[Tensor, Tensor, float], Tensor] = _rewards,
    loss: Callable[[Tensor], Tensor] = lambda margin: -F.logsigmoid(margin).mean(),
    *,
    shown: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] = lambda chosen, rejected: (chosen, rejected),
    reference_learns: bool = False,
    keep: bool = False,
) -> Callable:
    """The loss with one thing changed."""

    def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
        if not reference_learns:
            ref_chosen, ref_rejected = ref_chosen.detach(), ref_rejected.detach()
        chosen, rejected = reward(policy_chosen, ref_chosen, beta), reward(policy_rejected, ref_rejected, beta)
        first, second = shown(chosen, rejected)
        if not keep:
            first, second = first.detach(), second.detach()
        return loss(chosen - rejected), first, second

    return dpo_loss


def _no_beta_in_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    margin = (policy_chosen - ref_chosen.detach()) - (policy_rejected - ref_rejected.detach())
    chosen, rejected = _rewards(policy_chosen, ref_chosen, beta), _rewards(policy_rejected, ref_rejected, beta)
    return -F.logsigmoid(margin).mean(), chosen.detach(), rejected.detach()


def _reference_in_rewards_alone(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    _, chosen, rejected = _variant()(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)
    return -F.logsigmoid(beta * (policy_chosen - policy_rejected)).mean(), chosen, rejected


def _shown_without_beta(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    loss, _, _ = _variant()(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)
    return loss, (policy_chosen - ref_chosen).detach(), (policy_rejected - ref_rejected).detach()


def _shown_log_probs(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    loss, _, _ = _variant()(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)
    return loss, policy_chosen.detach(), policy_rejected.detach()


def _paired_by_model(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    loss, _, _ = _variant()(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)
    first, second = _rewards(policy_chosen, policy_rejected, beta), _rewards(ref_chosen, ref_rejected, beta)
    return loss, first.detach(), second.detach()


def _frozen(answer: Callable, policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    """The gradient of the policy alone is looked at."""
    return answer(policy_chosen, policy_rejected, ref_chosen.detach(), ref_rejected.detach(), beta)


def _inputs(draw, rows=5, beta=0.3, **kind):
    return [*(-draw.uniform(rows, low=1.0, high=12.0, **kind) for _ in range(4)), beta]


DPO_LOSS = Exercise(
    name="dpo_loss",
    points=2,
    reference=reference.dpo_loss,
    helpers=(reference.preference_loss,),
    cases=(
        Case("pairs", lambda draw: _inputs(draw), call=_frozen, grad=True),
        Case("another β", lambda draw: _inputs(draw, beta=0.05), call=_frozen, grad=True),
        Case(
            "margins of a thousand",
            lambda draw: [
                torch.tensor([-1500.0, -10.0]),
                torch.tensor([-10.0, -1500.0]),
                torch.tensor([-20.0, -10.0]),
                torch.tensor([-20.0, -10.0]),
                1.0,
            ],
        ),
        Case("the reference is a constant", lambda draw: _inputs(draw), grad=True),
        Case("float32", lambda draw: _inputs(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "sign",
            "your loss falls when the rejected answer becomes likelier. Which reward is subtracted from which?",
            _variant(loss=lambda margin: -F.logsigmoid(-margin).mean()),
        ),
        Mistake(
            "not_negated",
            "your loss is negative: a log-likelihood. Which sign makes it something to minimise?",
            _variant(loss=lambda margin: F.logsigmoid(margin).mean()),
        ),
        Mistake(
            "no_reference",
            "the reference is ignored. To what are the policy's log-probabilities compared?",
            _variant(lambda policy, ref, beta: beta * policy),
        ),
        Mistake(
            "reference_in_rewards_alone",
            "the rewards are right, but your loss does not know the reference. Of which two margins is the difference?",
            _reference_in_rewards_alone,
        ),
        Mistake(
            "reference_added",
            "you add the reference's log-probabilities. What is the logarithm of a ratio?",
            _variant(lambda policy, ref, beta: beta * (policy + ref)),
        ),
        Mistake(
            "ratio_inverted",
            "your log-ratio is reference by policy. Which one stands above the line?",
            _variant(lambda policy, ref, beta: beta * (ref - policy)),
        ),
        Mistake(
            "no_log",
            "you take the sigmoid without its logarithm. What is the negative log-likelihood of a choice?",
            _variant(loss=lambda margin: -margin.sigmoid().mean()),
        ),
        Mistake(
            "one_minus",
            "you take 1 − σ as the loss. What is the negative log-likelihood of a choice?",
            _variant(loss=lambda margin: (1 - margin.sigmoid()).mean()),
        ),
        Mistake(
            "hinge",
            "you use a margin of 1. Through which function does DPO send the difference of the rewards?",
            _variant(loss=lambda margin: (1 - margin).relu().mean()),
        ),
        Mistake(
            "ipo",
            "you square a distance: that is IPO's idea. Which loss has the Bradley–Terry model?",
            _variant(loss=lambda margin: (margin - 0.5).square().mean()),
        ),
        Mistake(
            "sum",
            "you return the sum of the losses. Which reduction is asked for?",
            _variant(loss=lambda margin: -F.logsigmoid(margin).sum()),
        ),
        Mistake(
            "per_pair",
            "you return one loss per pair. Which reduction is asked for?",
            _variant(loss=lambda margin: -F.logsigmoid(margin)),
        ),
        Mistake(
            "mean_first",
            "you average the margins before the sigmoid. Which answers are compared with each other?",
            _variant(loss=lambda margin: -F.logsigmoid(margin.mean())),
        ),
        Mistake(
            "no_beta",
            "β is missing. What scales the log-ratios?",
            _variant(lambda policy, ref, beta: policy - ref),
        ),
        Mistake(
            "beta_divides",
            "you divide by β. What is the implicit reward?",
            _variant(lambda policy, ref, beta: (policy - ref) / beta),
        ),
        Mistake(
            "no_beta_in_loss",
            "β is in the rewards but not in the loss. Of what is the loss made?",
            _no_beta_in_loss,
        ),
        Mistake(
            "rewards_without_beta",
            "the loss is right, but β is missing in the rewards. What is the implicit reward?",
            _shown_without_beta,
        ),
        Mistake(
            "rewards_are_log_probs",
            "the loss is right, but the rewards are log-probabilities. What is the implicit reward?",
            _shown_log_probs,
        ),
        Mistake(
            "paired_by_model",
            "you pair the two answers of one model. Which two logarithms make one implicit reward?",
            _paired_by_model,
        ),
        Mistake(
            "rewards_swapped",
            "the rewards are exchanged. In which order are they returned?",
            _variant(shown=lambda chosen, rejected: (rejected, chosen)),
        ),
        Mistake(
            "rewards_averaged",
            "the rewards are averaged. How many are there, one per batch or one per pair?",
            _variant(shown=lambda chosen, rejected: (chosen.mean(), rejected.mean())),
        ),
        Mistake(
            "rewards_with_gradient",
            "the values are right, but the rewards are not cut from the graph. They are for looking at: what makes "
            "them constants?",
            _variant(keep=True),
        ),
        Mistake(
            "overflow",
            "your loss is infinite for a margin of a thousand. Which function of torch gives log σ in one step?",
            _variant(loss=lambda margin: -margin.sigmoid().log().mean()),
        ),
        Mistake(
            "reference_learns",
            "gradients flow into the reference's log-probabilities. Which of the inputs are constants?",
            _variant(reference_learns=True),
        ),
    ),
)
