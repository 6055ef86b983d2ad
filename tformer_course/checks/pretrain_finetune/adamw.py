"""adamw_step."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import Tensor
from torch.optim import adam

from ...models.pretrain_finetune import optimiser as reference
from ..core.exercise import Case, Exercise, Mistake

# What torch's own AdamW runs: switched off while an answer is judged.
TORCH_ADAMW = (adam._single_tensor_adam, adam._multi_tensor_adam, adam._fused_adam)


def many_steps(answer, param: Tensor, grads: list[Tensor], lrs: list[float], settings: dict) -> list[Tensor]:
    """The parameter after each step."""
    state: dict = {}
    found = []
    for grad, lr in zip(grads, lrs, strict=True):
        param, state = answer(param, grad, state, lr, **settings)
        found.append(param.clone())
    return found


def branches(answer, param: Tensor, grads: list[Tensor]) -> dict:
    """Two futures of one state, and whether the state `{}` that was handed in is still empty."""
    empty: dict = {}
    start = param.clone()
    first, state = answer(param, grads[0], empty, 0.1)
    second, state2 = answer(first, grads[1], state, 0.1)
    kept = second.clone()
    other, _ = answer(first, grads[2], state, 0.1)
    third, _ = answer(second, grads[2], state2, 0.1)
    return {
        "two futures of one state": [first, second, other, third],
        "nothing was changed": bool(len(empty) == 0 and torch.equal(start, param) and torch.equal(kept, second)),
    }


def by_torch(param: Tensor, grads: list[Tensor], lrs: list[float], settings: dict) -> list[Tensor]:
    """torch.optim.AdamW on the same gradients."""
    parameter = torch.nn.Parameter(param.clone())
    optimizer = torch.optim.AdamW([parameter], lr=0.1, **settings)
    found = []
    for grad, lr in zip(grads, lrs, strict=True):
        optimizer.param_groups[0]["lr"] = lr
        parameter.grad = grad.clone()
        optimizer.step()
        found.append(parameter.detach().clone())
    return found


def _adamw(
    *,
    l2: bool = False,
    decay: Callable = lambda p, lr, wd: lr * wd * p,
    hats: Callable = lambda t, b: 1 - b**t,
    denominator: Callable = lambda v, eps: v.sqrt() + eps,
    first_step: int = 1,
    order: str = "before",
    swapped: bool = False,
    square_of: str = "grad",
    in_place: bool = False,
    descent: float = -1.0,
) -> Callable:
    """AdamW with one thing done differently."""

    def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        b1, b2 = reversed(betas) if swapped else betas
        t = state.get("t", first_step - 1) + 1
        g = grad + weight_decay * param if l2 else grad
        m = b1 * state.get("m", torch.zeros_like(g)) + (1 - b1) * g
        v = b2 * state.get("v", torch.zeros_like(g)) + (1 - b2) * (g * g if square_of == "grad" else m * m)
        c1, c2 = hats(t, b1), hats(t, b2)
        update = lr * (m / c1) / denominator(v / c2, eps)
        pulled = 0.0 if l2 else decay(param, lr, weight_decay)
        if order == "after":
            new = param + descent * update
            new = new - decay(new, lr, weight_decay)
        else:
            new = param - pulled + descent * update
        if in_place:
            state.update(t=t, m=m, v=v)
            return new, state
        return new, {"t": t, "m": m, "v": v}

    return adamw_step


def _hat_epsilon(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    """The shortened form of Adam's section 2, where eps meets the uncorrected root."""
    b1, b2 = betas
    t = state.get("t", 0) + 1
    m = b1 * state.get("m", 0.0) + (1 - b1) * grad
    v = b2 * state.get("v", 0.0) + (1 - b2) * grad * grad
    rate = lr * (1 - b2**t) ** 0.5 / (1 - b1**t)
    return param * (1 - lr * weight_decay) - rate * m / (v.sqrt() + eps), {"t": t, "m": m, "v": v}


def _steps(draw, count: int, shape=(2, 3), **settings) -> list:
    grads = [draw.normal(*shape, scale=10.0 ** draw.integer(-2, 1)) for _ in range(count)]
    return [draw.normal(*shape), grads, [0.1 * (1 + i % 3) for i in range(count)], settings]


ADAMW_STEP = Exercise(
    name="adamw_step",
    points=2.5,
    reference=reference.adamw_step,
    helpers=TORCH_ADAMW,
    cases=(
        Case("twelve steps", lambda draw: _steps(draw, 12), call=many_steps, tol=1e-10),
        Case(
            "other settings",
            lambda draw: _steps(draw, 6, betas=(0.7, 0.8), eps=0.5, weight_decay=0.3),
            call=many_steps,
            tol=1e-10,
        ),
        Case("the first step", lambda draw: _steps(draw, 1), call=many_steps, tol=1e-10),
        Case("nothing in place", lambda draw: [draw.normal(4), [draw.normal(4) for _ in range(3)]], call=branches),
        Case(
            "float32",
            lambda draw: [draw.normal(5, dtype=torch.float32), [draw.normal(5, dtype=torch.float32)], [0.1], {}],
            call=many_steps,
        ),
    ),
    mistakes=(
        Mistake(
            "l2_in_the_gradient",
            "your weight decay goes through the gradient, so Adam rescales it: this is L2, not AdamW. Where "
            "does the decay "
            "act instead?",
            _adamw(l2=True),
        ),
        Mistake(
            "no_bias_correction",
            "your first steps are far too large: the second mean starts at 0 faster than the first. What "
            "are both means "
            "divided by?",
            _adamw(hats=lambda t, b: 1.0),
        ),
        Mistake(
            "first_mean_only_corrected",
            "only the mean of the gradients is corrected. Which other mean starts at 0?",
            lambda *a, **k: _partly_corrected(*a, **k, which=1),
        ),
        Mistake(
            "second_mean_only_corrected",
            "only the mean of the squares is corrected. Which other mean starts at 0?",
            lambda *a, **k: _partly_corrected(*a, **k, which=2),
        ),
        Mistake(
            "eps_inside_the_root",
            "eps stands inside the root. Where does the algorithm add it?",
            _adamw(denominator=lambda v, eps: (v + eps).sqrt()),
        ),
        Mistake(
            "eps_before_correction",
            "eps is added to the root before the correction, as in the shortened form of Adam. Which root "
            "does it meet in "
            "torch and in algorithm 2?",
            _hat_epsilon,
        ),
        Mistake(
            "no_root",
            "you divide by the mean of the squares, not by its root. In which unit is a gradient?",
            _adamw(denominator=lambda v, eps: v + eps),
        ),
        Mistake(
            "decay_without_lr",
            "your decay does not scale with the learning rate. What multiplies weight_decay in torch?",
            _adamw(decay=lambda p, lr, wd: wd * p),
        ),
        Mistake(
            "decay_after",
            "you decay what the step has changed already. Of which parameter is a share taken away?",
            _adamw(order="after"),
        ),
        Mistake(
            "no_decay",
            "no weight is pulled towards 0. Where does weight_decay act?",
            _adamw(decay=lambda p, lr, wd: 0.0),
        ),
        Mistake(
            "decay_grows",
            "your decay makes weights larger. Which sign has it?",
            _adamw(decay=lambda p, lr, wd: -lr * wd * p),
        ),
        Mistake("betas_swapped", "the two betas are swapped. Which mean is the slower one?", _adamw(swapped=True)),
        Mistake(
            "square_of_the_mean",
            "you average the squares of the mean. Whose squares does the second mean hold?",
            _adamw(square_of="mean"),
        ),
        Mistake(
            "steps_count_from_two",
            "your step counter is one ahead. Which step is the first?",
            _adamw(first_step=2),
        ),
        Mistake(
            "state_changed_in_place",
            "you change the state that you were given. Does a second call from the same state see it unchanged?",
            _adamw(in_place=True),
        ),
        Mistake("uphill", "you climb: the loss grows. Which sign has the step?", _adamw(descent=1.0)),
        Mistake(
            "counter_stays_at_one",
            "every step is corrected like the first. Where do you keep how many steps there were?",
            lambda param, grad, state, *a, **k: _forgetful(param, grad, state, *a, **k),
        ),
        Mistake(
            "state_forgotten",
            "every step starts from empty means. What do you return as the new state?",
            lambda param, grad, state, *a, **k: (_adamw()(param, grad, {}, *a, **k)[0], {}),
        ),
    ),
)


def _partly_corrected(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, which=1):
    b1, b2 = betas
    t = state.get("t", 0) + 1
    m = b1 * state.get("m", 0.0) + (1 - b1) * grad
    v = b2 * state.get("v", 0.0) + (1 - b2) * grad * grad
    c1, c2 = (1 - b1**t, 1.0) if which == 1 else (1.0, 1 - b2**t)
    new = param * (1 - lr * weight_decay) - lr * (m / c1) / ((v / c2).sqrt() + eps)
    return new, {"t": t, "m": m, "v": v}


def _forgetful(param, grad, state, *settings, **named):
    state = copy.copy(state)
    state["t"] = 0
    return _adamw()(param, grad, state, *settings, **named)
