"""The two objectives of pretraining, and perplexity."""

from __future__ import annotations

import math

from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    """Mean cross-entropy of each token, given the scores that stand one position before it.

    Args:
        logits: `(B, T, V)`; position t scores the token at t + 1.
        tokens: `(B, T)` int64, not shifted.
        ignore_index: Tokens of this value are no targets.

    Returns:
        Scalar, in nats per target; 0 with a zero gradient where there is no target.

    Source:
        Radford et al. 2018 (GPT), equation 1, negated and divided by the number of targets.

    >>> import torch
    >>> next_token_loss(torch.zeros(1, 3, 4), torch.tensor([[0, 1, 2]]))  # ln 4: all four are equally likely
    tensor(1.3863)
    """
    return mlm_loss(logits[:, :-1], tokens[:, 1:], ignore_index)  # the last scores have no target, nor the first token


def mlm_loss(logits: Tensor, labels: Tensor, ignore_index: int = -100) -> Tensor:
    """Mean cross-entropy over the positions that have a label; nothing is shifted.

    Args:
        logits: `(B, T, V)`; position t scores the token at t itself.
        labels: `(B, T)` int64, `ignore_index` wherever nothing was masked.
        ignore_index: Label of positions that do not count.

    Returns:
        Scalar, in nats per label; 0 with a zero gradient where there is no label.

    Source:
        Devlin et al. 2018 (BERT, arXiv 1810.04805), section 3.1.

    >>> import torch
    >>> mlm_loss(torch.zeros(1, 3, 4), torch.tensor([[-100, 1, -100]]))
    tensor(1.3863)
    """
    counts = labels != ignore_index  # (B, T)
    wanted = labels.masked_fill(~counts, 0).unsqueeze(-1)  # any valid index where nothing counts
    log_p = logits.log_softmax(dim=-1).gather(-1, wanted).squeeze(-1)  # (B, T)
    # clamp: a sum over nothing is 0, and 0 / 1 is 0 where 0 / 0 would be NaN
    return -log_p.masked_fill(~counts, 0.0).sum() / counts.sum().clamp(min=1)


def perplexity(loss: Tensor | float) -> Tensor | float:
    """exp(loss): the number of equally likely tokens that would be as hard to guess.

    Args:
        loss: Mean cross-entropy in nats; a tensor of any shape or a float.

    Returns:
        A tensor of that shape for a tensor, a float for a float.

    >>> round(perplexity(math.log(50)), 6)
    50.0
    """
    return loss.exp() if isinstance(loss, Tensor) else math.exp(loss)
