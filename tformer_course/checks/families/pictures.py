"""patchify and clip_loss."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ...models.families import pictures as reference
from ..core.exercise import Case, Exercise, Mistake


def refuses(answer):
    """How it answers to sides that cannot be divided, one at a time."""
    told = []
    for height, width in ((5, 4), (4, 5)):
        try:
            answer(torch.zeros(1, 3, height, width), 2)
            told.append("no ValueError")
        except ValueError:
            told.append("ValueError")
    return told


def _wrong_patches(order, check=True):
    """Patches in another order: a permutation of (B, c, patch rows, rows, patch columns, columns)."""

    def patchify(images, patch):
        b, c, h, w = images.shape
        if check and (h % patch or w % patch):
            raise ValueError(patch)
        if h % patch or w % patch:
            images = images[:, :, : h - h % patch, : w - w % patch]
            b, c, h, w = images.shape
        x = images.reshape(b, c, h // patch, patch, w // patch, patch)
        return x.permute(*order).reshape(b, -1, patch * patch * c)

    return patchify


def _reshaped(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(patch)
    return images.reshape(b, -1, patch * patch * c)


def _channels_last_reshaped(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(patch)
    return images.permute(0, 2, 3, 1).reshape(b, -1, patch * patch * c)


def _strided(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(patch)
    x = images.reshape(b, c, patch, h // patch, patch, w // patch)
    return x.permute(0, 3, 5, 2, 4, 1).reshape(b, -1, patch * patch * c)


PATCHIFY = Exercise(
    name="patchify",
    points=0.5,
    reference=reference.patchify,
    cases=(
        Case("patches", lambda draw: [draw.normal(2, 3, 4, 6), 2], grad=True),
        Case("a single channel", lambda draw: [draw.normal(2, 1, 6, 9), 3]),
        Case("one patch", lambda draw: [draw.normal(2, 2, 3, 3), 3]),
        Case("sides that do not fit", lambda draw: [], lambda: ["ValueError"] * 2, call=refuses),
    ),
    mistakes=(
        Mistake(
            "columns_first",
            "your patches go down the columns. In which order does one read?",
            _wrong_patches((0, 4, 2, 3, 5, 1)),
        ),
        Mistake(
            "channels_first",
            "inside a patch all numbers of a channel come together, as unfold gives them. Which index runs fastest?",
            _wrong_patches((0, 2, 4, 1, 3, 5)),
        ),
        Mistake(
            "patch_transposed",
            "inside a patch rows and columns are swapped. Which index runs slowest?",
            _wrong_patches((0, 2, 4, 5, 3, 1)),
        ),
        Mistake(
            "all_transposed",
            "rows and columns are swapped, between patches and inside them. In which order does one read?",
            _wrong_patches((0, 4, 2, 5, 3, 1)),
        ),
        Mistake(
            "only_reshaped",
            "a reshape alone cuts strips, not squares. Which axes must be split, and which moved?",
            _reshaped,
        ),
        Mistake(
            "channels_moved_and_reshaped",
            "a reshape alone cuts strips, not squares. Which axes must be split before any are joined?",
            _channels_last_reshaped,
        ),
        Mistake(
            "every_nth_pixel",
            "your patches take every n-th pixel instead of neighbours. Which part of a split axis counts the patches?",
            _strided,
        ),
        Mistake(
            "rest_cut_off",
            "what does not fit is cut off in silence. What should the caller read?",
            _wrong_patches((0, 2, 4, 3, 5, 1), check=False),
        ),
    ),
)


def wrong_loss(norm="both", sides="both", scale="times", target="diagonal", reduce="mean"):
    """A clip_loss; each argument says what is wrong in one respect."""

    def clip_loss(image_features, text_features, logit_scale):
        a, b = image_features, text_features
        if norm in ("both", "images"):
            a = F.normalize(a, dim=-1)
        if norm in ("both", "texts"):
            b = F.normalize(b, dim=-1)
        if norm == "over_batch":
            a, b = F.normalize(a, dim=0), F.normalize(b, dim=0)
        s = torch.as_tensor(logit_scale)
        factor = {"times": s, "divided": 1 / s, "exp": s.exp(), "none": 1.0, "detached": s.detach()}[scale]
        logits = a @ b.T * factor
        n = len(logits)
        right = torch.arange(n) if target == "diagonal" else torch.zeros(n, dtype=torch.long)
        one, two = (F.cross_entropy(x, right, reduction=reduce) for x in (logits, logits.T))
        return {"both": (one + two) / 2, "images": one, "texts": two, "sum": one + two}[sides]

    return clip_loss


def _pair(draw, n=5, width=7, scale=3.0):
    """Features whose lengths differ, and pairs that are alike."""
    images = draw.normal(n, width)
    texts = images + 0.7 * draw.normal(n, width)
    return [images * draw.uniform(n, 1, low=0.5, high=3), texts * draw.uniform(n, 1, low=0.5, high=3), scale]


CLIP_LOSS = Exercise(
    name="clip_loss",
    points=1,
    reference=reference.clip_loss,
    cases=(
        Case("value and gradients", _pair, grad=True),
        Case(
            "a scale with a gradient",
            lambda draw: [*_pair(draw, 4, 5)[:2], draw.uniform(1, low=2, high=6)[0]],
            grad=True,
        ),
        Case("large scale", lambda draw: _pair(draw, 4, 5, 1000.0)),
        Case("a single pair", lambda draw: _pair(draw, 1, 5)),
    ),
    mistakes=(
        Mistake(
            "one_direction",
            "only pictures look for their text. Who looks for whom in the other half?",
            wrong_loss(sides="images"),
        ),
        Mistake(
            "other_direction",
            "only texts look for their picture. Who looks for whom in the other half?",
            wrong_loss(sides="texts"),
        ),
        Mistake(
            "not_averaged", "the two directions are added, not averaged. What is half of it?", wrong_loss(sides="sum")
        ),
        Mistake(
            "no_normalisation", "long vectors win: nothing is normalised. What is a cosine?", wrong_loss(norm="none")
        ),
        Mistake(
            "only_images_normalised",
            "the text features keep their length. What is a cosine?",
            wrong_loss(norm="images"),
        ),
        Mistake(
            "only_texts_normalised",
            "the picture features keep their length. What is a cosine?",
            wrong_loss(norm="texts"),
        ),
        Mistake(
            "normalised_over_the_batch",
            "you normalise over the batch. Along which axis does a vector lie?",
            wrong_loss(norm="over_batch"),
        ),
        Mistake("scale_ignored", "logit_scale changes nothing. What does it multiply?", wrong_loss(scale="none")),
        Mistake(
            "divided_by_scale",
            "you divide by logit_scale, as by a temperature. What does a scale do?",
            wrong_loss(scale="divided"),
        ),
        Mistake(
            "exponentiated", "you exponentiate logit_scale. Is the argument a logarithm here?", wrong_loss(scale="exp")
        ),
        Mistake(
            "scale_detached", "no gradient reaches logit_scale. Where was it detached?", wrong_loss(scale="detached")
        ),
        Mistake(
            "first_is_right",
            "every picture is sent to the first text. Which text belongs to picture i?",
            wrong_loss(target="zeros"),
        ),
        Mistake("summed", "the losses of the batch are added up. Over what is the mean?", wrong_loss(reduce="sum")),
    ),
)
