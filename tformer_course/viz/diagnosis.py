"""Which heads of a model are unusual: five numbers per head, judged against the model's own other heads.

Fixed thresholds ("entropy below 0.3 is collapse") fail on healthy models, which all have sharp heads, flat heads and
sinks. So a head is flagged only where it stands out from the rest of the same model, and a flag is a reason to look,
not a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tformer_course.models.multi_head import attention_entropy, effective_rank, saturation
from tformer_course.viz.figure import course_style

ROBUST_Z = 3.5  # Iglewicz and Hoaglin (1993): "How to Detect and Handle Outliers", their limit for the modified z-score
MIN_HEADS = 8  # with fewer, a median says little about what is usual
TITLES = {
    "entropy": "normalised entropy",
    "effective_rank": "effective rank",
    "saturation": "saturated rows",
    "sink_mass": "mass on one key",
    "gradient_share": "share of the gradient",
}


class Outlier(NamedTuple):
    """One head whose metric is far from the model's median; `z` is signed and in robust standard deviations."""

    layer: int
    head: int
    metric: str
    value: float
    median: float
    z: float


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose_attention` found.

    Attributes:
        metrics: name → `(L, H)` array.
        z_scores: name → `(L, H)` array, distance from the model's median in robust standard deviations.
        outliers: the flagged heads, the farthest first.
    """

    metrics: dict[str, np.ndarray]
    z_scores: dict[str, np.ndarray]
    outliers: list[Outlier]

    def table(self, flagged_only: bool = False) -> str:
        """One line per layer and head; a flagged number carries ▲ (high for this model) or ▼ (low)."""
        names = list(self.metrics)
        flags = {(found.layer, found.head, found.metric): "▲" if found.z > 0 else "▼" for found in self.outliers}
        flagged = {(found.layer, found.head) for found in self.outliers}
        lines = ["layer head " + " ".join(f"{name:>15}" for name in names)]
        for layer, head in np.ndindex(self.metrics[names[0]].shape):
            if flagged_only and (layer, head) not in flagged:
                continue
            cells = [f"{self.metrics[n][layer, head]:.3f}{flags.get((layer, head, n), ' ')}" for n in names]
            lines.append(f"{layer:5d} {head:4d} " + " ".join(f"{cell:>15}" for cell in cells))
        medians = " ".join(f"{np.median(self.metrics[name]):.3f} ".rjust(15) for name in names)
        return "\n".join([*lines, f"{'median':>10} {medians}"])

    def plot(self, alt: str | None = None) -> Figure:
        """One panel per metric, a row per layer, a column per head; triangles mark what is flagged."""
        num_layers, num_heads = next(iter(self.metrics.values())).shape
        columns = len(self.metrics) if num_heads <= 8 else 2 if len(self.metrics) == 4 else 3
        rows = -(-len(self.metrics) // columns)
        with course_style():
            height = min(max(num_layers * 0.22, 1.6), 6.0) + 1.1
            figure = Figure(figsize=(11.5, rows * height), layout="constrained")
            for index, (name, values) in enumerate(self.metrics.items()):
                axes = figure.add_subplot(rows, columns, index + 1)
                top = 1.0 if name in {"entropy", "saturation", "sink_mass"} else float(values.max())
                image = axes.imshow(values, cmap="viridis", vmin=0, vmax=top or 1.0, aspect="auto")
                figure.colorbar(image, ax=axes, aspect=25, pad=0.02)
                for found in self.outliers:
                    if found.metric == name:
                        marker = "^" if found.z > 0 else "v"
                        axes.plot(found.head, found.layer, marker, color="white", markeredgecolor="black", markersize=8)
                axes.set_title(TITLES[name], fontsize=11)
                axes.set_xlabel("head")
                axes.set_ylabel("layer")
                axes.locator_params(integer=True)
        figure.alt_text = alt
        return figure

    def __str__(self) -> str:
        heads = len({(found.layer, found.head) for found in self.outliers})
        return f"{heads} of {next(iter(self.metrics.values())).size} heads stand out\n{self.table(flagged_only=True)}"


def diagnose_attention(
    attentions: Tensor | Sequence[Tensor], loss: Tensor | None = None, mask: Tensor | None = None
) -> Diagnosis:
    """Measure every head of a model and flag those that stand out from the others.

    The metrics, each a mean over the samples: `entropy` (per row, divided by the logarithm of the number of visible
    keys), `effective_rank` of the weights, `saturation` (share of rows with a weight above 0.95), `sink_mass` (largest
    mean weight that one key gets) and, with a loss, `gradient_share` (norm of the loss's gradient with respect to the
    head's weights, divided by the sum over all heads). Rows that see at most one key are left out of entropy and
    saturation: they have no choice.

    Args:
        attentions: one `(B, H, T, S)` tensor per layer, as a transformers model returns; or `(L, H, T, S)` for one
            sample. With a loss they must be the tensors of its graph.
        loss: scalar whose gradient is shared out; its graph is kept.
        mask: boolean, True means "may attend", broadcasts against `(B, H, T, S)`. None: causal where no query of any
            layer gives weight to a later key, else everything is visible.

    Returns:
        The numbers, the flags, a table and a picture. Nothing is flagged with fewer than 8 heads.

    Raises:
        ValueError: shapes are wrong or differ, weights are missing or NaN, the loss is not a scalar or does not depend
            on a layer's weights.
    """
    layers = _layers(attentions)
    shape = layers[0].shape
    visible = _visible(layers, mask)  # (B, H, T, S)
    choice = visible.sum(-1) > 1  # (B, H, T), rows that can choose
    metrics = {name: np.zeros((len(layers), shape[1])) for name in list(TITLES)[:4]}
    for index, layer in enumerate(layers):
        weights = layer.detach().double()
        entropy = attention_entropy(weights, visible)  # (B, H, T)
        for head in range(shape[1]):
            rows = choice[:, head]
            matrices = weights[:, head]
            if rows.any():
                metrics["entropy"][index, head] = entropy[:, head][rows].mean().item()
                metrics["saturation"][index, head] = saturation(matrices[rows])
            ranks = [effective_rank(matrix) for matrix in matrices if matrix.any()]
            metrics["effective_rank"][index, head] = np.mean(ranks) if ranks else 0.0
            metrics["sink_mass"][index, head] = matrices.mean(1).amax(-1).mean().item()
    if loss is not None:
        metrics["gradient_share"] = _gradient_share(layers, loss, attentions)
    z_scores = {name: robust_z(values) for name, values in metrics.items()}
    outliers = [
        Outlier(
            layer, head, name, float(values[layer, head]), float(np.median(values)), float(z_scores[name][layer, head])
        )
        for name, values in metrics.items()
        for layer, head in np.argwhere(np.abs(z_scores[name]) > ROBUST_Z).tolist()
        if values.size >= MIN_HEADS
    ]
    return Diagnosis(metrics, z_scores, sorted(outliers, key=lambda found: -abs(found.z)))


def robust_z(values: np.ndarray) -> np.ndarray:
    """Distance from the median in units of the median absolute deviation, scaled to a normal's standard deviation.

    Where more than half of the values are equal that deviation is 0, and the mean absolute deviation takes its place.
    """
    distance = values - np.median(values)
    spread = 1.4826 * np.median(np.abs(distance))
    if spread <= 1e-9:
        spread = 1.2533 * np.mean(np.abs(distance))
    return distance / spread if spread > 1e-9 else np.zeros_like(values)


def _layers(attentions: Tensor | Sequence[Tensor]) -> list[Tensor]:
    """One `(B, H, T, S)` tensor per layer, checked."""
    if isinstance(attentions, Tensor) and attentions.dim() == 4:
        attentions = [layer[None] for layer in attentions]
    layers = list(attentions)
    if not layers:
        raise ValueError(
            "0 layers of attention weights, expected at least 1: was the model loaded with eager attention?"
        )
    for index, layer in enumerate(layers):
        if layer is None:
            raise ValueError(f"layer {index} has no weights (None): load the model with attn_implementation='eager'")
        if layer.dim() != 4:
            raise ValueError(
                f"layer {index} has {layer.dim()} axes, expected 4 (B, H, T, S); shape {tuple(layer.shape)}"
            )
        if layer.shape != layers[0].shape:
            raise ValueError(f"layer {index} has shape {tuple(layer.shape)}, layer 0 has {tuple(layers[0].shape)}")
        if layer.isnan().any():
            raise ValueError(f"{int(layer.isnan().sum())} of {layer.numel()} weights of layer {index} are NaN")
    return layers


def _visible(layers: list[Tensor], mask: Tensor | None) -> Tensor:
    """The mask in full, `(B, H, T, S)`; guessed where none is given."""
    shape = layers[0].shape
    if mask is not None:
        try:
            return mask.to(layers[0].device).bool().expand(shape)
        except RuntimeError as error:
            raise ValueError(f"a mask of shape {tuple(mask.shape)} does not fit weights of {tuple(shape)}") from error
    full = torch.ones(shape, dtype=torch.bool, device=layers[0].device)
    causal = shape[-2] == shape[-1] and shape[-1] > 1 and all(not layer.triu(1).any() for layer in layers)
    return full.tril() if causal else full


def _gradient_share(layers: list[Tensor], loss: Tensor, given: Any) -> np.ndarray:
    """Each head's part of the gradient's norm, `(L, H)`; sums to 1 unless there is no gradient at all."""
    if loss.numel() != 1:
        raise ValueError(f"the loss has {loss.numel()} elements, expected 1")
    if not loss.requires_grad:
        raise ValueError("the loss has no gradient (0 tensors require one): compute it without torch.no_grad()")
    for index, layer in enumerate(layers):
        if not layer.requires_grad:
            raise ValueError(
                f"the weights of layer {index} carry no gradient: were they computed under torch.no_grad()?"
            )
    stacked = isinstance(given, Tensor)
    gradients = torch.autograd.grad(loss.sum(), [given] if stacked else layers, retain_graph=True, allow_unused=True)
    if stacked and gradients[0] is not None:
        gradients = [gradient[None] for gradient in gradients[0]]
    for index, gradient in enumerate(gradients):
        if gradient is None:
            raise ValueError(f"the loss does not depend on the weights of layer {index}: were they detached or copied?")
    norms = torch.stack([gradient.double().transpose(0, 1).flatten(1).norm(dim=1) for gradient in gradients])  # (L, H)
    total = norms.sum()
    return (norms / total if total > 0 else norms).cpu().numpy()
