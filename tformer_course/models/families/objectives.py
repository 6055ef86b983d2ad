"""How text becomes training data: masked words, sentence pairs, corrupted spans, and the next token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

IGNORE = -100  # cross_entropy leaves out labels with this value


def mask_tokens(
    tokens: Tensor,
    mask_id: int,
    vocab_size: int,
    special_ids: Iterable[int],
    p: float = 0.15,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """BERT's masked language modelling: which tokens are hidden, and what is to be predicted there.

    Args:
        tokens: `(…)` int64.
        mask_id: The token [MASK].
        vocab_size: V.
        special_ids: Tokens that are never chosen, such as [CLS], [SEP] and padding.
        p: Probability with which a token is chosen, each by its own draw.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        Inputs and labels, both of the shape of tokens. Of the chosen tokens 80 % become mask_id, 10 % a random word
        (uniform over the vocabulary), 10 % stay. Labels hold the chosen tokens and −100 elsewhere.

    Source:
        Devlin et al. 2019 (arXiv 1810.04805), section 3.1 and appendix A.1.
    """
    special = torch.isin(tokens, torch.tensor(list(special_ids), dtype=tokens.dtype, device=tokens.device))
    draw = [torch.rand(tokens.shape, generator=generator, device=tokens.device) for _ in range(2)]
    chosen = (draw[0] < p) & ~special
    words = torch.randint(0, vocab_size, tokens.shape, generator=generator, device=tokens.device)
    fate = draw[1]  # one number decides what happens to a chosen token
    inputs = torch.where(chosen & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), words, inputs)
    return inputs, torch.where(chosen, tokens, IGNORE)


def nsp_pairs(
    documents: Sequence[Sequence[Any]], generator: torch.Generator | None = None
) -> list[tuple[Any, Any, bool]]:
    """BERT's next-sentence prediction: pairs of which half really follow each other.

    Args:
        documents: Lists of sentences; at least two of them.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        One `(first, second, is_next)` per sentence that has a successor, in document order. By a fair coin each, second
        is the successor (True) or a sentence of another document (False).

    Raises:
        ValueError: For fewer than two documents, or where no other document has a sentence.

    Source:
        Devlin et al. 2019, section 3.1.

    >>> {pair for pair in nsp_pairs([["a", "b"], ["c"]])} <= {("a", "b", True), ("a", "c", False)}
    True
    """
    if len(documents) < 2:
        raise ValueError(f"{len(documents)} document; a random second sentence comes from another one, so 2 are needed")

    def below(n: int) -> int:
        return int(torch.randint(0, n, (), generator=generator))

    pairs = []
    for index, document in enumerate(documents):
        others = [sentence for i, other in enumerate(documents) if i != index for sentence in other]
        if len(document) > 1 and not others:
            raise ValueError(f"document {index} has pairs, but the {len(documents) - 1} others have 0 sentences")
        for first, successor in zip(document, document[1:], strict=False):
            is_next = below(2) == 1
            pairs.append((first, successor if is_next else others[below(len(others))], is_next))
    return pairs


def _random_parts(total: int, parts: int, generator: torch.Generator | None) -> list[int]:
    """`parts` whole numbers of at least 1 that sum to total; every way to do so is equally likely."""
    cuts = (torch.randperm(total - 1, generator=generator)[: parts - 1] + 1).sort().values.tolist()
    return [right - left for left, right in zip([0, *cuts], [*cuts, total], strict=True)]


def span_corruption(
    tokens: Tensor,
    sentinel_ids: Sequence[int],
    density: float = 0.15,
    mean_span: float = 3,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """T5's objective: some spans are cut out, and the decoder writes what was in them.

    Args:
        tokens: `(n,)` int64, n ≥ 1.
        sentinel_ids: Tokens that stand for a span, in the order of their use.
        density: Share of the tokens to cut out: round(density·n) of them, at least 1.
        mean_span: Mean length; there are round(tokens cut out / mean_span) spans, at least 1, at most what fits.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        Inputs: the tokens with each span replaced by the next sentinel. Targets: sentinel, span, sentinel, span, …, and
        the next unused sentinel as the end. Spans never touch each other; any position can be hit.

    Raises:
        ValueError: Where there are not enough sentinels (spans + 1), or no tokens.

    Source:
        Raffel et al. 2020 (arXiv 1910.10683), section 3.1.4 and figure 2. T5's code never cuts at the very start.

    >>> span_corruption(torch.tensor([5]), [90, 91])
    (tensor([90]), tensor([90,  5, 91]))
    """
    n = len(tokens)
    if n == 0:
        raise ValueError("0 tokens; at least 1 is needed, since at least 1 is cut out")
    cut = min(max(1, round(density * n)), n)
    kept = n - cut
    spans = min(max(1, round(cut / mean_span)), cut, kept + 1)  # each has a token, and a kept one before the next
    if spans + 1 > len(sentinel_ids):
        raise ValueError(f"{spans} spans need {spans + 1} sentinels, and there are {len(sentinel_ids)}")
    lengths = _random_parts(cut, spans, generator)
    # spans + 1 gaps, of which the first and the last may be empty: hence parts of kept + 2, less one at both ends.
    gaps = _random_parts(kept + 2, spans + 1, generator)
    gaps[0], gaps[-1] = gaps[0] - 1, gaps[-1] - 1
    inputs, targets, position = [], [], 0
    for sentinel, gap, length in zip(sentinel_ids, gaps, lengths, strict=False):
        mark = tokens.new_tensor([int(sentinel)])
        start, end = position + gap, position + gap + length
        inputs += [tokens[position:start], mark]
        targets += [mark, tokens[start:end]]
        position = end
    inputs.append(tokens[position:])
    targets.append(tokens.new_tensor([int(sentinel_ids[spans])]))
    return torch.cat(inputs), torch.cat(targets)


def shift_labels(tokens: Tensor, pad_id: int) -> tuple[Tensor, Tensor]:
    """The language model's objective: at each position the next token is to be predicted.

    Args:
        tokens: `(B, T)` int64.
        pad_id: The padding token.

    Returns:
        Inputs and labels, `(B, T − 1)` each: labels[:, t] is the token that follows inputs[:, t], or −100 where that is
        padding.

    >>> shift_labels(torch.tensor([[7, 8, 9, 0]]), pad_id=0)
    (tensor([[7, 8, 9]]), tensor([[   8,    9, -100]]))
    """
    labels = tokens[:, 1:]
    return tokens[:, :-1], torch.where(labels == pad_id, IGNORE, labels)
