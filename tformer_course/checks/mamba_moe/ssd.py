"""ssd_matrix."""

from __future__ import annotations

import torch

from ...models.mamba_moe import scan as reference
from ..core.exercise import Case, Exercise, Mistake


def ssd_inputs(draw, length=6, n=3, **kind):
    """a, b, c of an SSD matrix."""
    return [
        draw.uniform(length, low=0.2, high=0.95, **kind),
        draw.normal(length, n, **kind),
        draw.normal(length, n, **kind),
    ]


def _decays(a, first, last):
    """The product of a[j+first] … a[i+last] at (i, j), slowly; 1 where it is empty."""
    size = len(a)
    rows = [
        [
            a[max(0, j + first) : max(0, i + last) + 1].prod() if j + first <= i + last else a.new_ones(())
            for j in range(size)
        ]
        for i in range(size)
    ]
    return torch.stack([torch.stack(row) for row in rows])


def _matrix(decays=None, scores=None, shape=torch.tril):
    def ssd_matrix(a, b, c):
        inner = scores(b, c) if scores else c @ b.T
        return shape(inner * (decays(a) if decays else _decays(a, 1, 0)))

    return ssd_matrix


SSD_MATRIX = Exercise(
    name="ssd_matrix",
    points=1,
    reference=reference.ssd_matrix,
    helpers=(reference.selective_matrix,),
    forbid=(),
    cases=(
        Case("values", lambda draw: ssd_inputs(draw), grad=True),
        Case("one position", lambda draw: ssd_inputs(draw, length=1)),
        Case("strong decays", lambda draw: [1e-60 * (given := ssd_inputs(draw, length=8))[0], *given[1:]]),
        Case("float32", lambda draw: ssd_inputs(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "product_from_j",
            "a_j itself is in the product: the input of position j decays in the step in which it enters. With "
            "which index "
            "does the product start?",
            _matrix(decays=lambda a: _decays(a, 0, 0)),
        ),
        Mistake(
            "quotient_of_products",
            "strong decays give NaN: you divide one product by another that has become 0. Which factors are left when "
            "the quotient is written out?",
            _matrix(decays=lambda a: a.cumprod(0)[:, None] / a.cumprod(0)),
        ),
        Mistake(
            "product_to_before_i",
            "a_i is missing in the product. With which index does it end?",
            _matrix(decays=lambda a: _decays(a, 1, -1)),
        ),
        Mistake(
            "product_of_all",
            "every entry has the product of all decays up to i. With which index does the product start?",
            _matrix(decays=lambda a: a.cumprod(0)[:, None]),
        ),
        Mistake(
            "product_of_everything",
            "every entry has the product of all T decays. Which of them lie between j and i?",
            _matrix(decays=lambda a: a.prod()),
        ),
        Mistake(
            "one_decay_only",
            "every entry has one decay, however far j lies back. How many lie between j and i?",
            _matrix(decays=lambda a: torch.where(torch.eye(len(a), dtype=torch.bool), 1.0, a[:, None])),
        ),
        Mistake(
            "upper_triangle",
            "your matrix is the transposed one: outputs take from the future. Which of i and j is the row?",
            lambda a, b, c: reference.ssd_matrix(a, b, c).T,
        ),
        Mistake(
            "b_and_c_swapped",
            "b and c are swapped. Which one belongs to the row, the position that reads?",
            _matrix(scores=lambda b, c: b @ c.T),
        ),
        Mistake(
            "no_decay",
            "no decay is in your matrix: this is causal linear attention. By what is each score multiplied?",
            _matrix(decays=lambda a: 0 * a[:, None] + 1),
        ),
        Mistake(
            "decays_only",
            "b and c are not in your matrix. By what is each decay multiplied?",
            _matrix(scores=lambda b, c: 0 * (c @ b.T) + 1),
        ),
        Mistake(
            "diagonal_excluded",
            "the diagonal is 0: a position does not see itself. Does x_i enter the state before y_i is read?",
            _matrix(shape=lambda m: m.tril(-1)),
        ),
        Mistake(
            "future_not_cut",
            "the upper triangle is not 0. Which positions j may be seen from i?",
            _matrix(shape=lambda m: m),
        ),
    ),
)
