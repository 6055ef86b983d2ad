"""hbm_traffic and keep_top_scores."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _traffic(
    standard: Callable = lambda n, d: 4 * n * d + 4 * n * n,
    flash: Callable = lambda n, d, m: 2 * n * d + -(-n // -(-m // (4 * d))) * 3 * n * d,
    refuses: bool = True,
) -> Callable:
    def hbm_traffic(n, d, sram, algorithm):
        if algorithm == "standard":
            return standard(n, d)
        if refuses and algorithm != "flash":
            raise ValueError(f"algorithm is {algorithm!r}")
        return flash(n, d, sram)

    return hbm_traffic


def refusal(call: Callable[[], object]) -> str:
    """What a call raises, as a word: "ValueError" (also for a kind of it), another error's name, or "nothing"."""
    try:
        call()
    except NotImplementedError:
        raise  # not done yet
    except ValueError:
        return "ValueError"
    except Exception as error:
        return type(error).__name__
    return "nothing"


def _both(answer: Callable, *sizes: int) -> list[float]:
    return [float(answer(*sizes, "standard")), float(answer(*sizes, "flash"))]


def _passes(n, d, m):
    return -(-n // -(-m // (4 * d)))


HBM_TRAFFIC = Exercise(
    name="hbm_traffic",
    points=1,
    reference=reference.hbm_traffic,
    helpers=(reference.simulate_standard, reference.simulate_flash),
    cases=(
        Case("standard", lambda draw: [1000, 64, 20_000], call=lambda f, *x: float(f(*x, "standard"))),
        Case("flash, 1,000 tokens", lambda draw: [1000, 64, 15_000], call=lambda f, *x: float(f(*x, "flash"))),
        Case("fresh sizes", lambda draw: [draw.integer(500, 5000), 32, draw.integer(5000, 60_000)], call=_both),
        Case("all in one block", lambda draw: [100, 16, 100_000], call=_both),
        Case(
            "another algorithm",
            lambda draw: [64, 8, 512],
            holds=lambda kind, *_: kind == "ValueError" or f"a ValueError is asked for; what came was: {kind}",
            call=lambda f, *x: refusal(lambda: f(*x, "linear")),
        ),
    ),
    mistakes=(
        Mistake(
            "scores_once",
            "your standard algorithm moves the matrix twice. Scores are written and read, and then the weights: how "
            "many moves of n² entries is that?",
            _traffic(standard=lambda n, d: 4 * n * d + 2 * n * n),
        ),
        Mistake(
            "no_inputs",
            "your standard algorithm moves the matrix only. What about q, k, v and the output?",
            _traffic(standard=lambda n, d: 4 * n * n),
        ),
        Mistake(
            "flops",
            "your number is the FLOPs of attention, which are the same for both algorithms. How often does an element "
            "go to or from HBM?",
            _traffic(lambda n, d: 4 * n * n * d, lambda n, d, m: 4 * n * n * d),
        ),
        Mistake(
            "flops_over_block",
            "your traffic is n²d divided by the block size: operations, not elements moved. What is read and written "
            "in one pass over the queries?",
            _traffic(lambda n, d: n * n * d, lambda n, d, m: n * n * d // -(-m // (4 * d))),
        ),
        Mistake(
            "order_only",
            "your flash traffic is the order n²d²/M, without constants. How many passes are there, and what does "
            "one move?",
            _traffic(flash=lambda n, d, m: n * n * d * d // m),
        ),
        Mistake(
            "rounded_down",
            "you round the number of passes down. A last block that is not full: does it need a pass?",
            _traffic(flash=lambda n, d, m: 2 * n * d + n // -(-m // (4 * d)) * 3 * n * d),
        ),
        Mistake(
            "block_rounded_down",
            "you round the block size ⌈sram/(4d)⌉ down. What do the corners in the formula mean?",
            _traffic(flash=lambda n, d, m: 2 * n * d + -(-n // (m // (4 * d))) * 3 * n * d),
        ),
        Mistake(
            "no_rounding",
            "you divide without rounding. Can there be half a pass?",
            _traffic(flash=lambda n, d, m: 2 * n * d + n / (m / (4 * d)) * 3 * n * d),
        ),
        Mistake(
            "block_of_all_memory",
            "your block of keys fills the memory alone. How many tiles must fit into it at once?",
            _traffic(flash=lambda n, d, m: 2 * n * d + -(-n // -(-m // d)) * 3 * n * d),
        ),
        Mistake(
            "output_not_read",
            "you count 2nd per pass. The output is rescaled in every pass: must it be read too?",
            _traffic(flash=lambda n, d, m: 2 * n * d + _passes(n, d, m) * 2 * n * d),
        ),
        Mistake(
            "keys_in_every_pass",
            "you load all keys and values in every pass. Each of their blocks belongs to one pass: how often is "
            "it loaded?",
            _traffic(flash=lambda n, d, m: _passes(n, d, m) * 5 * n * d),
        ),
        Mistake(
            "keys_forgotten",
            "you count the passes only. How do keys and values come into fast memory?",
            _traffic(flash=lambda n, d, m: _passes(n, d, m) * 3 * n * d),
        ),
        Mistake(
            "bytes",
            "your numbers are four times as large as the elements: bytes of float32. What does the docstring count?",
            _traffic(
                lambda n, d: 4 * (4 * n * d + 4 * n * n),
                lambda n, d, m: 4 * (2 * n * d + _passes(n, d, m) * 3 * n * d),
            ),
        ),
        Mistake(
            "any_algorithm",
            "a name that you do not know gives a number. What should your function do with it?",
            _traffic(refuses=False),
        ),
    ),
)


def _keep(
    count: Callable = lambda ratio, s: max(1, int(ratio * s)), fill: float = -math.inf, largest: bool = True
) -> Callable:
    def keep_top_scores(scores, keep_ratio):
        number = count(keep_ratio, scores.shape[-1])
        chosen = scores.topk(number, dim=-1, largest=largest).indices
        kept = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, chosen, True)
        return scores.masked_fill(~kept, fill)

    return keep_top_scores


def _threshold(scores, keep_ratio, strict: bool = False):
    border = scores.topk(max(1, int(keep_ratio * scores.shape[-1])), dim=-1).values[..., -1:]
    return scores.masked_fill(scores <= border if strict else scores < border, -math.inf)


def _multiplied(scores, keep_ratio):
    chosen = scores.topk(max(1, int(keep_ratio * scores.shape[-1])), dim=-1).indices
    return scores * torch.zeros_like(scores).scatter(-1, chosen, 1.0)


def _over_all(last_two: bool) -> Callable:
    def keep_top_scores(scores, keep_ratio):
        flat = scores.flatten(-2) if last_two else scores.flatten()
        chosen = flat.topk(max(1, int(keep_ratio * flat.shape[-1])), dim=-1).indices
        kept = torch.zeros_like(flat, dtype=torch.bool).scatter(-1, chosen, True)
        return flat.masked_fill(~kept, -math.inf).view_as(scores)

    return keep_top_scores


def _per_column(scores, keep_ratio):
    return _keep()(scores.transpose(-2, -1), keep_ratio).transpose(-2, -1)


def _weights(scores, keep_ratio):
    return torch.softmax(_keep()(scores, keep_ratio), dim=-1)


def _weights_of(answer: Callable, scores: Tensor, keep_ratio: float) -> Tensor:
    """What the scores are for. A gradient at a hidden score itself says nothing: softmax multiplies it by 0."""
    return torch.softmax(answer(scores, keep_ratio), dim=-1)


def _sorted(scores, keep_ratio):
    return scores.topk(max(1, int(keep_ratio * scores.shape[-1])), dim=-1).values


def _causal_scores(draw) -> list:
    hidden = torch.ones(6, 6, dtype=torch.bool).triu(1)
    return [draw.normal(2, 6, 6).masked_fill(hidden, -math.inf), 0.5]


def tie_shape(answer: Callable, scores: Tensor, keep_ratio: float) -> Tensor:
    """How many entries stay in each row, for scores with ties, where any choice among equals is right."""
    return (answer(scores, keep_ratio) > -math.inf).sum(-1)


KEEP_TOP_SCORES = Exercise(
    name="keep_top_scores",
    points=1,
    reference=reference.keep_top_scores,
    cases=(
        Case("after a causal mask", _causal_scores),
        Case("values", lambda draw: [draw.normal(2, 5, 10), 0.33]),
        Case("gradient after a softmax", lambda draw: [draw.normal(2, 5, 10), 0.33], call=_weights_of, grad=True),
        Case("fresh scores", lambda draw: [draw.normal(4, 10), 0.37]),
        Case("negative scores", lambda draw: [-draw.uniform(3, 4, 8, low=0.5, high=5.0), 0.25]),
        Case("at least one", lambda draw: [draw.normal(4, 6), 0.01]),
        Case("ties", lambda draw: [draw.integers(0, 2, 5, 12).double(), 0.4], call=tie_shape),
    ),
    mistakes=(
        Mistake(
            "multiplied",
            "you multiply the scores by a mask: the dropped ones become 0, and 0 · (−inf) is NaN. What fills a place "
            "without a product?",
            _multiplied,
        ),
        Mistake(
            "zeros",
            "you set the dropped scores to 0, and softmax gives them e⁰. Which score gets weight 0?",
            _keep(fill=0.0),
        ),
        Mistake(
            "large_negative",
            "you fill with a large negative number. Masked means −inf in this course: which number is that?",
            _keep(fill=-1e9),
        ),
        Mistake("smallest", "you keep the smallest scores. Which ones matter for the output?", _keep(largest=False)),
        Mistake(
            "per_tensor",
            "you keep the largest scores of the whole tensor, so some rows lose everything. Over which axis is the "
            "choice made?",
            _over_all(last_two=False),
        ),
        Mistake(
            "per_matrix",
            "you keep the largest scores of each matrix, so some rows lose everything. Over which axis is the "
            "choice made?",
            _over_all(last_two=True),
        ),
        Mistake(
            "per_column",
            "you keep the largest scores of each column. Which axis counts the keys of one query?",
            _per_column,
        ),
        Mistake(
            "ties_kept",
            "rows with equal scores keep more than asked for. How many stay, exactly?",
            _threshold,
        ),
        Mistake(
            "row_emptied",
            "where keep_ratio · S is below 1 nothing stays, and the row's softmax is NaN. How many must stay at least?",
            _keep(lambda ratio, s: int(ratio * s)),
        ),
        Mistake(
            "border_dropped",
            "you drop the score at the border as well, so one too few stays. Is the k-th largest among the k largest?",
            lambda scores, keep_ratio: _threshold(scores, keep_ratio, strict=True),
        ),
        Mistake(
            "rounded",
            "you round keep_ratio · S to the nearest number. What does int() do?",
            _keep(lambda ratio, s: max(1, round(ratio * s + 1e-9))),
        ),
        Mistake(
            "rounded_up",
            "you round keep_ratio · S up. What does int() do?",
            _keep(lambda ratio, s: max(1, math.ceil(ratio * s))),
        ),
        Mistake(
            "dropped_share",
            "you keep as many as you should drop. What does keep_ratio say?",
            _keep(lambda ratio, s: max(1, s - int(ratio * s))),
        ),
        Mistake(
            "weights_returned", "you return weights. What does the docstring ask for: scores or weights?", _weights
        ),
        Mistake(
            "only_the_kept",
            "you return the kept scores alone, sorted. Which shape does the docstring ask for?",
            _sorted,
        ),
    ),
)
