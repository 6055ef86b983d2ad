"""Beyond text: a picture as a sequence of patches, and two towers that meet in one space."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def patchify(images: Tensor, patch: int) -> Tensor:
    """Cut pictures into square patches: the tokens of a vision Transformer.

    Args:
        images: `(B, c, H, W)`.
        patch: Side of a patch; divides H and W.

    Returns:
        `(B, n, patch·patch·c)` with n = H·W / patch². Patches follow each other row by row, as one reads; the numbers
        of a patch are ordered as (row, column, channel).

    Raises:
        ValueError: Where patch does not divide H or W.

    Source:
        Dosovitskiy et al. 2021 (arXiv 2010.11929), section 3.1.

    >>> patchify(torch.arange(8).view(1, 1, 2, 4), 2).tolist()
    [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    """
    batch, channels, height, width = images.shape
    if patch < 1 or height % patch or width % patch:
        raise ValueError(f"pictures of {height} × {width} cannot be cut into patches of side {patch}")
    x = images.reshape(batch, channels, height // patch, patch, width // patch, patch)
    x = x.permute(0, 2, 4, 3, 5, 1)  # (B, patch row, patch column, row, column, channel)
    return x.reshape(batch, -1, patch * patch * channels)


def clip_loss(image_features: Tensor, text_features: Tensor, logit_scale: float | Tensor) -> Tensor:
    """The contrastive loss of CLIP: each picture finds its text among all, and each text its picture.

    Args:
        image_features: `(B, C)`, any length of vectors: they are normalised here.
        text_features: `(B, C)`; row i belongs to picture i.
        logit_scale: Multiplies the cosines; a tensor gets its gradient.

    Returns:
        The mean of both cross-entropies, a scalar.

    Source:
        Radford et al. 2021 (arXiv 2103.00020), figure 3.

    >>> clip_loss(torch.eye(2), torch.eye(2), 1.0)  # −log(e / (e + 1))
    tensor(0.3133)
    """
    images = F.normalize(image_features, dim=-1)
    texts = F.normalize(text_features, dim=-1)
    logits = logit_scale * (images @ texts.T)  # (B, B): pictures down, texts across
    right = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
