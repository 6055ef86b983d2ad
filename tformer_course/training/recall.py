"""Associative recall: pairs of a key and a value are shown, then keys, and the model must name their values."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..models.attention import scaled_dot_product_attention
from ..models.efficient_attention import elu_features, linear_attention

SYMBOLS = 64  # keys, and as many values


class RecallModel(nn.Module):
    """One head of attention from questions to pairs, and nothing else.

    Args:
        kind: "softmax" or "linear" (feature map elu + 1).
        d_head: D, width of queries, keys and values.
        d_model: C, width of the embeddings.

    Raises:
        ValueError: For another kind.
    """

    def __init__(self, kind: str, d_head: int = 16, d_model: int = 64) -> None:
        super().__init__()
        if kind not in ("softmax", "linear"):
            raise ValueError(f"kind is {kind!r}; known are 'softmax' and 'linear'")
        self.kind = kind
        self.keys, self.values = nn.Embedding(SYMBOLS, d_model), nn.Embedding(SYMBOLS, d_model)
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))
        self.head = nn.Linear(d_head, SYMBOLS)

    def weights(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Attention `(B, Q, N)` of each question over the pairs."""
        q, k, _ = self._project(keys, values, asked)
        if self.kind == "softmax":
            return scaled_dot_product_attention(q, k, k)[1]
        pairs = elu_features(q) @ elu_features(k).transpose(-2, -1)  # (B, Q, N)
        return pairs / pairs.sum(dim=-1, keepdim=True)

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Logits `(B, Q, SYMBOLS)` of questions `(B, Q)` about pairs given as two tensors `(B, N)`."""
        q, k, v = self._project(keys, values, asked)
        if self.kind == "softmax":
            return self.head(scaled_dot_product_attention(q, k, v)[0])
        return self.head(linear_attention(q, k, v, elu_features))

    def _project(self, keys: Tensor, values: Tensor, asked: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        # A pair is one token: an earlier layer or a short convolution has bound key and value already.
        pair = self.keys(keys) + self.values(values)  # (B, N, C)
        return self.w_q(self.keys(asked)), self.w_k(pair), self.w_v(pair)


def draw_pairs(batch: int, pairs: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Keys `(B, N)` without repetition, their values, the same keys in another order, and the right answers."""
    keys = torch.rand(batch, SYMBOLS, generator=generator).argsort(dim=-1)[:, :pairs]
    values = torch.randint(SYMBOLS, (batch, pairs), generator=generator)
    order = torch.rand(batch, pairs, generator=generator).argsort(dim=-1)
    return keys, values, keys.gather(1, order), values.gather(1, order)


def train_recall(kind: str, pairs: int, d_head: int = 16, seed: int = 0, steps: int = 300) -> tuple[RecallModel, float]:
    """Trains a model on fresh pairs.

    Args:
        kind: As in `RecallModel`.
        pairs: N, at training and in the test.
        d_head: D.
        seed: Of weights and data.
        steps: Of Adam, 32 samples each.

    Returns:
        The model, and the share of right answers on 256 new samples.
    """
    torch.manual_seed(seed)
    model = RecallModel(kind, d_head)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, eta_min=1e-4)
    for _ in range(steps):
        keys, values, asked, answers = draw_pairs(32, pairs, generator)
        loss = F.cross_entropy(model(keys, values, asked).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model.eval(), recall_accuracy(model, pairs)


@torch.no_grad()
def recall_accuracy(model: RecallModel, pairs: int, seed: int = 1_000_000) -> float:
    """Share of right answers on 256 samples with `pairs` pairs."""
    keys, values, asked, answers = draw_pairs(256, pairs, torch.Generator().manual_seed(seed))
    return float((model(keys, values, asked).argmax(-1) == answers).float().mean())
