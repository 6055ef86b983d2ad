"""What comparisons teach: the probability of an answer, a reward model's loss, DPO, and the best of several."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def sequence_log_probs(logits: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
    """log π of the marked tokens of each row, added up.

    Args:
        logits: `(B, T, V)`, not shifted: position t scores the token at t + 1.
        tokens: `(B, T)` int64.
        mask: `(B, T)` bool, aligned with tokens: True for those that count (the answer; not prompt, not padding).
            The first token has no scores before it, so `mask[:, 0]` is ignored.

    Returns:
        `(B,)` log-probabilities in nats; 0 for a row without a marked token.

    Source:
        Rafailov et al. 2023 (DPO, arXiv 2305.18290), section 4: log π(y | x) is a sum over the tokens of y.

    >>> logits, tokens = torch.zeros(1, 3, 4), torch.tensor([[0, 1, 2]])
    >>> sequence_log_probs(logits, tokens, torch.tensor([[True, False, True]]))  # one token of four: −ln 4
    tensor([-1.3863])
    """
    counts, wanted = mask[:, 1:], tokens[:, 1:]  # (B, T−1): the last scores have no token, the first token no scores
    scores = logits[:, :-1].masked_fill(~counts.unsqueeze(-1), 0.0)  # whatever padding holds
    log_p = scores.log_softmax(-1).gather(-1, wanted.masked_fill(~counts, 0).unsqueeze(-1)).squeeze(-1)  # (B, T−1)
    return log_p.masked_fill(~counts, 0.0).sum(-1)


def preference_loss(chosen: Tensor, rejected: Tensor) -> Tensor:
    """−log σ(r_chosen − r_rejected), meant over the batch: the loss of a reward model.

    Args:
        chosen, rejected: `(B,)`, rewards of the better and the worse answer of each pair.

    Returns:
        Scalar; ln 2 where both are equal.

    Source:
        Bradley, Terry 1952; Ouyang et al. 2022 (InstructGPT, arXiv 2203.02155), equation 1.

    >>> preference_loss(torch.tensor([1.0, 0.0]), torch.tensor([1.0, 0.0]))
    tensor(0.6931)
    """
    return -F.logsigmoid(chosen - rejected).sum() / max(chosen.numel(), 1)


def last_token_rewards(scores: Tensor, mask: Tensor) -> Tensor:
    """The score at the last real token of each row: the reward of the whole answer.

    Args:
        scores: `(B, T)`, one number per position.
        mask: `(B, T)` bool, True for real tokens; the padding may stand on either side.

    Returns:
        `(B,)`; 0 for a row without a real token.

    >>> last_token_rewards(torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[True, True, False]]))
    tensor([2.])
    """
    last = mask.shape[-1] - 1 - mask.flip(-1).int().argmax(-1, keepdim=True)  # (B, 1): the first True from behind
    picked = scores.gather(-1, last).squeeze(-1)  # (B,)
    return torch.where(mask.any(-1), picked, torch.zeros_like(picked))


def dpo_loss(
    policy_chosen: Tensor, policy_rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor, beta: float
) -> tuple[Tensor, Tensor, Tensor]:
    """The reward model's loss on the implicit reward β (log π − log π_ref).

    Args:
        policy_chosen, policy_rejected: `(B,)`, log π of both answers.
        ref_chosen, ref_rejected: `(B,)`, log π_ref of both; constants.
        beta: Strength of the tie to the reference.

    Returns:
        `(loss, chosen_rewards, rejected_rewards)`: the mean over the batch, and both implicit rewards `(B,)`, detached.

    Source:
        Rafailov et al. 2023 (arXiv 2305.18290), equation 7.

    >>> dpo_loss(*torch.zeros(4, 2), beta=0.1)[0]  # π = π_ref: ln 2
    tensor(0.6931)
    """
    chosen = beta * (policy_chosen - ref_chosen.detach())
    rejected = beta * (policy_rejected - ref_rejected.detach())
    return preference_loss(chosen, rejected), chosen.detach(), rejected.detach()


def best_of_n(scores: Tensor) -> Tensor:
    """Which of n samples has the highest score.

    Args:
        scores: `(…, n)`.

    Returns:
        `(…)` int64; the first one where several are best.

    >>> best_of_n(torch.tensor([[0.1, 0.9, 0.9]]))
    tensor([1])
    """
    return scores.argmax(-1)


def win_rate(a: Tensor, b: Tensor) -> float:
    """How often a beats b; a tie is half a win.

    Args:
        a, b: `(B,)`, scores of the same prompts.

    Returns:
        0 … 1.

    >>> win_rate(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 2.0]))
    0.75
    """
    wins = (a > b).double() + 0.5 * (a == b).double()
    return float(wins.sum() / max(wins.numel(), 1))
