"""route_top_k and moe_forward."""

from __future__ import annotations

import torch

from ...models.mamba_moe import experts as reference
from ..core.exercise import Case, Exercise, Mistake

# --- route_top_k ---------------------------------------------------------------------------------------------------


def dense(answer, logits, k):
    """The weight of every expert `(…, E)`, 0 for those not chosen, in whatever order the k come."""
    weights, indices = answer(logits, k)
    shape = (*logits.shape[:-1], k)
    for name, x, dtype in (("weights", weights, logits.dtype), ("indices", indices, torch.int64)):
        if x.dtype != dtype or tuple(x.shape) != shape:
            raise ValueError(f"{name} should be {dtype} {shape}, and are {x.dtype} {tuple(x.shape)}")
    if bool((indices < 0).any() or (indices >= logits.shape[-1]).any()):
        raise ValueError("an index is not that of an expert")
    return torch.zeros_like(logits).scatter(-1, indices, weights)


def slow_route(logits, k):
    """What `dense` must give, token by token."""
    rows = []
    for row in logits.reshape(-1, logits.shape[-1]):
        chosen = sorted(range(len(row)), key=lambda e: -float(row[e]))[:k]
        powers = {e: torch.exp(row[e] - row.max()) for e in chosen}
        total = sum(powers.values())
        rows.append(torch.stack([powers[e] / total if e in powers else 0 * row[e] for e in range(len(row))]))
    return torch.stack(rows).reshape(logits.shape)


def _route(weigh, largest=True):
    def route_top_k(logits, k):
        chosen, indices = logits.topk(k, dim=-1, largest=largest)
        return weigh(logits, chosen, indices), indices

    return route_top_k


ROUTE_TOP_K = Exercise(
    name="route_top_k",
    points=1,
    reference=reference.route_top_k,
    forbid=(),
    cases=(
        Case("two of five", lambda draw: [draw.normal(6, 5), 2], slow_route, call=dense, grad=True),
        Case("more axes", lambda draw: [draw.normal(2, 3, 4), 3], slow_route, call=dense, grad=True),
        Case("one of four", lambda draw: [draw.normal(6, 4), 1], slow_route, call=dense),
        Case("all experts", lambda draw: [draw.normal(3, 4), 4], slow_route, call=dense),
        Case("logits of ±1000", lambda draw: [draw.normal(6, 5, scale=1000.0), 2], slow_route, call=dense),
        Case("float32", lambda draw: [draw.normal(6, 5, dtype=torch.float32), 2], slow_route, call=dense),
    ),
    mistakes=(
        Mistake(
            "softmax_over_all",
            "your weights do not sum to 1: the softmax ran over all experts. Over which logits does it run?",
            _route(lambda logits, chosen, indices: torch.softmax(logits, -1).gather(-1, indices)),
        ),
        Mistake(
            "no_softmax",
            "your weights are the logits themselves. Which function makes weights of them?",
            _route(lambda logits, chosen, indices: chosen),
        ),
        Mistake(
            "divided_by_the_sum",
            "you divide logits by their sum, which can be negative or 0. Which function makes weights of them?",
            _route(lambda logits, chosen, indices: chosen / chosen.sum(-1, keepdim=True)),
        ),
        Mistake(
            "equal_weights",
            "all chosen experts get 1/k, so the router learns nothing. Which logits decide the weights?",
            _route(lambda logits, chosen, indices: torch.full_like(chosen, 1 / chosen.shape[-1])),
        ),
        Mistake(
            "sigmoid",
            "each weight is a sigmoid of its own logit. What must the weights of one token sum to?",
            _route(lambda logits, chosen, indices: torch.sigmoid(chosen)),
        ),
        Mistake(
            "softmax_over_the_tokens",
            "the softmax runs over the tokens. Which axis holds the k choices of one token?",
            _route(lambda logits, chosen, indices: torch.softmax(chosen, 0)),
        ),
        Mistake(
            "smallest",
            "you choose the experts with the smallest logits. Which ones fit best?",
            _route(lambda logits, chosen, indices: torch.softmax(chosen, -1), largest=False),
        ),
        Mistake(
            "weights_detached",
            "no gradient reaches the router. From what are the weights computed?",
            _route(lambda logits, chosen, indices: torch.softmax(chosen.detach(), -1)),
        ),
    ),
)

# --- moe_forward ---------------------------------------------------------------------------------------------------


def expert_layer(w):
    """An expert made of one matrix."""
    return lambda tokens: torch.tanh(tokens @ w)


def run_experts(answer, x, router, matrices, k):
    """The output, and for each expert how often it was called and with how many tokens in all."""
    calls = [[0, 0] for _ in matrices]

    def watched(e):
        def expert(tokens):
            calls[e][0] += 1
            calls[e][1] += tokens.shape[0]
            return expert_layer(matrices[e])(tokens)

        return expert

    y = answer(x, lambda tokens: tokens @ router, [watched(e) for e in range(len(matrices))], k)
    return [y, calls]


def slow_experts(x, router, matrices, k):
    """What `run_experts` must give: every expert on every token, and the weights of those not chosen set to 0."""
    full = slow_route(x @ router, k)  # (tokens, E)
    y = sum(full[:, e, None] * expert_layer(w)(x) for e, w in enumerate(matrices))
    counts = [int((full[:, e] > 0).sum()) for e in range(len(matrices))]
    return [y, [[int(n > 0), n] for n in counts]]


def expert_inputs(draw, tokens=7, d=4, experts=5, k=2, dtype=torch.float64):
    """x, the router's matrix, one matrix per expert, k."""
    return [
        draw.normal(tokens, d, dtype=dtype),
        draw.normal(d, experts, dtype=dtype),
        [draw.normal(d, d, dtype=dtype) for _ in range(experts)],
        k,
    ]


def _experts(weigh=None, take=None, weighted_inputs=False):
    def moe_forward(x, router, experts, k):
        logits = router(x)
        weights, indices = reference.route_top_k(logits, k)
        weights = weigh(logits, weights, indices) if weigh else weights
        y = torch.zeros_like(x)
        for e, expert in enumerate(experts):
            token, slot = (indices == e).nonzero(as_tuple=True)
            if take:
                token, slot = token[take(slot)], slot[take(slot)]
            if token.numel():
                w = weights[token, slot, None]
                y = y.index_add(0, token, expert(w * x[token]) if weighted_inputs else w * expert(x[token]))
        return y

    return moe_forward


def _on_everything(x, router, experts, k):
    weights, indices = reference.route_top_k(router(x), k)
    full = torch.zeros(x.shape[0], len(experts), dtype=x.dtype).scatter(1, indices, weights)
    return sum(full[:, e, None] * expert(x) for e, expert in enumerate(experts))


def _never_asked_whether_empty(x, router, experts, k):
    weights, indices = reference.route_top_k(router(x), k)
    y = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        token, slot = (indices == e).nonzero(as_tuple=True)
        y = y.index_add(0, token, weights[token, slot, None] * expert(x[token]))
    return y


def _order_lost(axis):
    def moe_forward(x, router, experts, k):
        weights, indices = reference.route_top_k(router(x), k)
        rows = []
        for e, expert in enumerate(experts):
            token, slot = (indices == e).nonzero(as_tuple=True)
            if token.numel():
                rows.append(weights[token, slot, None] * expert(x[token]))
        rows = torch.cat(rows)
        return rows.reshape((k, *x.shape) if axis == 0 else (len(x), k, -1)).sum(axis)

    return moe_forward


def _token_by_token(x, router, experts, k):
    weights, indices = reference.route_top_k(router(x), k)
    return torch.stack(
        [
            sum(w * experts[int(e)](x[t : t + 1])[0] for w, e in zip(weights[t], indices[t], strict=True))
            for t in range(x.shape[0])
        ]
    )


def _slot_by_slot(x, router, experts, k):
    weights, indices = reference.route_top_k(router(x), k)
    y = torch.zeros_like(x)
    for s in range(k):
        for e, expert in enumerate(experts):
            token = (indices[:, s] == e).nonzero()[:, 0]
            if token.numel():
                y = y.index_add(0, token, weights[token, s, None] * expert(x[token]))
    return y


def _overwritten(x, router, experts, k):
    weights, indices = reference.route_top_k(router(x), k)
    y = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        token, slot = (indices == e).nonzero(as_tuple=True)
        if token.numel():
            y = y.index_put((token,), weights[token, slot, None] * expert(x[token]))
    return y


MOE_FORWARD = Exercise(
    name="moe_forward",
    points=2,
    reference=reference.moe_forward,
    helpers=(reference.moe_with_capacity,),
    forbid=(),
    cases=(
        Case("two of five experts", expert_inputs, slow_experts, call=run_experts, grad=True),
        Case(
            "one of six, so that some get no token",
            lambda draw: expert_inputs(draw, tokens=3, experts=6, k=1),
            slow_experts,
            call=run_experts,
        ),
        Case(
            "all experts", lambda draw: expert_inputs(draw, experts=3, k=3), slow_experts, call=run_experts, grad=True
        ),
        Case("float32", lambda draw: expert_inputs(draw, dtype=torch.float32), slow_experts, call=run_experts),
    ),
    mistakes=(
        Mistake(
            "softmax_over_all",
            "the weights of a token's experts do not sum to 1. Over which logits does the softmax run?",
            _experts(weigh=lambda logits, w, indices: torch.softmax(logits, -1).gather(-1, indices)),
        ),
        Mistake(
            "experts_on_everything",
            "the values are right, but each expert computes all tokens, so nothing is saved. Which tokens chose it?",
            _on_everything,
        ),
        Mistake(
            "empty_calls",
            "the values are right, but an expert that nobody chose is called all the same. When can the call "
            "be left out?",
            _never_asked_whether_empty,
        ),
        Mistake(
            "token_by_token",
            "the values are right, but an expert is called once per token. How can it take all its tokens at once?",
            _token_by_token,
        ),
        Mistake(
            "slot_by_slot",
            "the values are right, but an expert is called once per slot. How can it take all its tokens at once?",
            _slot_by_slot,
        ),
        *(
            Mistake(name, "the rows come in the order of the experts. To which token does each belong?", wrong)
            for name, wrong in (("order_lost", _order_lost(0)), ("order_lost_in_groups_of_k", _order_lost(1)))
        ),
        Mistake(
            "no_weights",
            "the outputs of the chosen experts are added as they are. By what is each of them multiplied?",
            _experts(weigh=lambda logits, w, indices: torch.ones_like(w)),
        ),
        Mistake(
            "equal_weights",
            "the outputs of the chosen experts are averaged. By what is each of them multiplied?",
            _experts(weigh=lambda logits, w, indices: torch.full_like(w, 1 / w.shape[-1])),
        ),
        Mistake(
            "first_choice_only",
            "only the first choice of each token is in your output. How many experts add to it?",
            _experts(take=lambda slot: slot == 0),
        ),
        Mistake(
            "overwritten",
            "the output of a later expert replaces that of an earlier one. What is done with the k outputs of a token?",
            _overwritten,
        ),
        Mistake(
            "input_weighted",
            "you multiply the expert's input by the weight, not its output. Where does G stand in Σ G·E(x)?",
            _experts(weighted_inputs=True),
        ),
    ),
)
