"""The tasks of chapter 07: selective copying for state spaces, and tokens of several kinds for a layer of experts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..models.mamba_moe import (
    MambaBlock,
    TimeInvariantBlock,
    load_balancing_loss,
    selective_matrix,
    update_expert_bias,
)
from .threads import one_thread

SYMBOLS, NOISE, READ = 16, 16, 17  # symbols are 0 … 15


def copying_batch(batch: int, length: int, keep: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Selective copying: `keep` symbols at random places among noise, then as many places to say them in order.

    The symbols of a sequence differ from each other, so knowing which ones there were helps with one guess in `keep`
    only. They lie in a stretch of random length at a random place, so that a place says little about whether its
    symbol is the first or the last.

    Args:
        batch: Number of sequences.
        length: Positions before the first place to answer.
        keep: Symbols to be copied, at most SYMBOLS.
        generator: Source of randomness.

    Returns:
        Tokens `(batch, length + keep)` and the symbols `(batch, keep)`, which are to be said at the last places.

    Source:
        Gu, Dao 2023 (arXiv 2312.00752), section 4.1.1; here shorter, and no symbol comes twice.
    """
    symbols = torch.rand(batch, SYMBOLS, generator=generator).argsort(dim=1)[:, :keep]
    stretch = torch.randint(keep, length + 1, (batch, 1), generator=generator)  # the symbols lie in a stretch so long
    first = (torch.rand(batch, 1, generator=generator) * (length - stretch + 1)).long()
    place = torch.arange(length)
    inside = (place >= first) & (place < first + stretch)
    scores = torch.rand(batch, length, generator=generator).masked_fill(~inside, -1.0)
    places = scores.topk(keep, dim=1).indices.sort(dim=1).values
    tokens = torch.full((batch, length), NOISE).scatter(1, places, symbols)
    return torch.cat([tokens, torch.full((batch, keep), READ)], dim=1), symbols


class _States(torch.autograd.Function):
    """h_t = a_t h_{t−1} + u_t along axis 0, with both loops written by hand: two operations per step."""

    @staticmethod
    def forward(ctx, a: Tensor, u: Tensor) -> Tensor:
        h = torch.empty_like(u)
        h[0] = u[0]
        for t in range(1, len(u)):
            torch.addcmul(u[t], a[t], h[t - 1], out=h[t])
        ctx.save_for_backward(a, h)
        return h

    @staticmethod
    def backward(ctx, slope: Tensor) -> tuple[Tensor, Tensor]:
        a, h = ctx.saved_tensors
        slope, slope_a = slope.clone(), torch.zeros_like(a)
        for t in range(len(a) - 2, -1, -1):
            slope[t].addcmul_(a[t + 1], slope[t + 1])
        torch.mul(slope[1:], h[:-1], out=slope_a[1:])
        return slope_a, slope


def quick_scan(x: Tensor, delta: Tensor, a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    """`selective_scan` for training on a CPU: all states in memory, and about half the time."""
    step, write, read = (t.transpose(0, 1) for t in (delta, b, c))  # the time first: each step is one piece of memory
    enter = (step * x.transpose(0, 1))[..., None] * write[:, :, None, :]
    h = _States.apply(torch.exp(step[..., None] * a), enter)  # (T, B, C, N)
    return (h @ read[..., None])[..., 0].transpose(0, 1) + d * x


def quick_convolution(x: Tensor, delta: Tensor, a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    """`selective_scan` where delta, b and c are the same at all positions and samples: a convolution, by FFT."""
    step, length = delta[0, 0, :, None], x.shape[1]
    powers = torch.exp((step * a)[..., None] * torch.arange(length, dtype=x.dtype))  # (C, N, T)
    kernel = torch.einsum("cn,cnt->tc", step * b[0, 0] * c[0, 0], powers)
    size = 2 * length  # without the second half the end of the sequence would run into its start
    product = torch.fft.rfft(x, n=size, dim=1) * torch.fft.rfft(kernel, n=size, dim=0)
    return torch.fft.irfft(product, n=size, dim=1)[:, :length] + d * x


class _SelectiveBlock(MambaBlock):
    scan = staticmethod(quick_scan)


class _FixedBlock(TimeInvariantBlock):
    scan = staticmethod(quick_convolution)


class Copier(nn.Module):
    """Embedding, blocks with pre-norm and skip, norm, output layer.

    Args:
        kind: "selective" (Mamba's block), "time-invariant" (steps, b and c fixed, no gate), or "time-invariant, gated".
        d_model, d_state, layers: Sizes.
    """

    def __init__(self, kind: str = "selective", d_model: int = 32, d_state: int = 16, layers: int = 1) -> None:
        super().__init__()
        blocks = {
            "selective": _SelectiveBlock,
            "time-invariant": partial(_FixedBlock, gated=False),
            "time-invariant, gated": _FixedBlock,
        }
        self.embedding = nn.Embedding(SYMBOLS + 2, d_model)
        self.norms = nn.ModuleList(nn.RMSNorm(d_model) for _ in range(layers))
        self.blocks = nn.ModuleList(blocks[kind](d_model, d_state) for _ in range(layers))
        self.final = nn.RMSNorm(d_model)
        self.head = nn.Linear(d_model, SYMBOLS)

    def forward(self, tokens: Tensor) -> Tensor:
        """`(B, T)` → logits `(B, T, symbols)`."""
        x = self.embedding(tokens)
        for norm, block in zip(self.norms, self.blocks, strict=True):
            x = x + block(norm(x))
        return self.head(self.final(x))


@torch.no_grad()
def said_rightly(model: nn.Module, length: int, keep: int, batch: int, seed: int) -> Tensor:
    """`(batch, keep)` of 0 and 1: which symbols of new sequences are said at their place."""
    tokens, symbols = copying_batch(batch, length, keep, torch.Generator().manual_seed(seed))
    return (model(tokens)[:, -keep:].argmax(dim=-1) == symbols).double()


def accuracy_by_place(model: nn.Module, length: int, keep: int, batch: int, seed: int) -> Tensor:
    """`(keep,)`: how often the first, the second, … symbol is said at its place, on new sequences."""
    return said_rightly(model, length, keep, batch, seed).mean(dim=0)


def copying_accuracy(model: nn.Module, length: int, keep: int, batch: int, seed: int) -> float:
    """Share of symbols that are said at their place, on new sequences."""
    return accuracy_by_place(model, length, keep, batch, seed).mean().item()


@one_thread()
def train_copier(
    model: Copier,
    seed: int,
    *,
    first: int = 0,
    steps: int = 2600,
    shortest: int = 6,
    length: int = 64,
    keep: int = 6,
    batch: int = 16,
    look: Callable[[Copier, int], None] | None = None,
    every: int = 200,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> list[float]:
    """Trains a copier with Adam; the rate rises for 50 steps and falls to 0 over the last 40 % of all.

    Args:
        model: Is changed.
        seed: Seed of the data.
        first, steps: Numbers of the first step and of the step after the last. A run that does not start at 0 goes
            on with a model that has seen `first` steps; its optimizer and its data are new.
        shortest, length, keep: Of the task; the places of each batch are a random number between the first two.
        batch: Sequences per step.
        look: Called with the model and the number of steps done after every `every` steps.
        progress: Wraps the steps, for example tqdm.

    Returns:
        The loss of each step.
    """
    generator = torch.Generator().manual_seed(1000 * (first + 1) + seed)
    optimizer = torch.optim.Adam(model.parameters())
    losses = []
    for step in progress(range(first, steps)):
        for group in optimizer.param_groups:
            group["lr"] = 5e-3 * min(1.0, (step - first + 1) / 50, (steps - step) / (0.4 * steps))
        places = int(torch.randint(shortest, length + 1, (1,), generator=generator))
        tokens, symbols = copying_batch(batch, places, keep, generator)
        loss = F.cross_entropy(model(tokens)[:, -keep:].flatten(0, 1), symbols.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if look and (step + 1) % every == 0:
            look(model, step + 1)
    return losses


KINDS, FEATURES, COMMON = 8, 8, 3.0


def kinds_batch(tokens: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens of eight kinds, each with a rotation of its own to be applied to its features.

    Args:
        tokens: Number of tokens.
        generator: Source of randomness.

    Returns:
        x `(tokens, KINDS + FEATURES)`: a noisy mark of the kind, then the features; the features as the kind's matrix
        turns them `(tokens, FEATURES)`; the kinds `(tokens,)`.
    """
    kind = torch.randint(KINDS, (tokens,), generator=generator)
    mark = COMMON + F.one_hot(kind, KINDS) + 0.3 * torch.randn(tokens, KINDS, generator=generator)
    z = torch.randn(tokens, FEATURES, generator=generator)
    fixed = torch.Generator().manual_seed(7)
    turns = torch.linalg.qr(torch.randn(KINDS, FEATURES, FEATURES, generator=fixed)).Q
    return torch.cat([mark, z], dim=1), torch.einsum("nij,nj->ni", turns[kind], z), kind


class ExpertLayer(nn.Module):
    """Linear experts behind a linear router, with k of them per token.

    The weights are the probabilities of the chosen experts, as in Switch: with k = 1 a softmax over the chosen alone
    would always be 1, and the router would learn nothing.

    Args:
        experts: Number of experts, E.
        k: Experts per token.
    """

    def __init__(self, experts: int = 8, k: int = 1) -> None:
        super().__init__()
        self.k = k
        self.router = nn.Linear(KINDS + FEATURES, experts, bias=False)
        self.experts = nn.ModuleList(nn.Linear(KINDS + FEATURES, FEATURES) for _ in range(experts))
        self.register_buffer("bias", torch.zeros(experts))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`(tokens, d)` → outputs `(tokens, FEATURES)`, probabilities `(tokens, E)`, choices `(tokens, k)`."""
        probs = torch.softmax(self.router(x), dim=-1)
        indices = (probs + self.bias).topk(self.k, dim=-1).indices  # the bias decides who is chosen, not the weight
        output = x.new_zeros(x.shape[0], FEATURES)
        for e, expert in enumerate(self.experts):
            token, slot = (indices == e).nonzero(as_tuple=True)
            if token.numel():
                output = output.index_add(0, token, probs[token, e, None] * expert(x[token]))
        return output, probs, indices


@one_thread()
def train_experts(
    balance: str, seed: int, steps: int = 500, weight: float = 0.1, rate: float = 0.02
) -> tuple[ExpertLayer, dict[str, list[float]]]:
    """Trains an ExpertLayer on tokens of eight kinds.

    Args:
        balance: "none", "loss" (Switch's term) or "bias" (DeepSeek-V3's).
        seed: Seed of weights and data.
        steps: Steps of Adam, 256 tokens each.
        weight: Weight of the balancing loss.
        rate: Step of the bias.

    Returns:
        The layer, and per step the error and the largest share of the choices that one expert gets.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(1000 + seed)
    layer = ExpertLayer()
    optimizer = torch.optim.Adam(layer.parameters(), lr=2e-2)
    history: dict[str, list[float]] = {"error": [], "largest share": []}
    for _ in range(steps):
        x, wanted, _ = kinds_batch(256, generator)
        y, probs, indices = layer(x)
        error = F.mse_loss(y, wanted)
        load = torch.bincount(indices.reshape(-1), minlength=probs.shape[1])
        extra = weight * load_balancing_loss(probs, indices, probs.shape[1]) if balance == "loss" else 0.0
        optimizer.zero_grad()
        (error + extra).backward()
        optimizer.step()
        if balance == "bias":
            layer.bias.copy_(update_expert_bias(layer.bias, load, rate))
        history["error"].append(error.item())
        history["largest share"].append(load.max().item() / load.sum().item())
    return layer, history


@torch.no_grad()
def expert_by_kind(layer: ExpertLayer, tokens: int = 4000, seed: int = 99) -> Tensor:
    """`(E, KINDS)`: the share of each kind's tokens that goes to each expert; columns sum to 1."""
    x, _, kind = kinds_batch(tokens, torch.Generator().manual_seed(seed))
    chosen = layer(x)[2]
    counts = torch.zeros(len(layer.experts), KINDS)
    for slot in range(layer.k):
        counts.index_put_((chosen[:, slot], kind), torch.ones(tokens), accumulate=True)
    return counts / counts.sum(dim=0)


@torch.no_grad()
def _scan_inputs(model: Copier, tokens: Tensor, layer: int) -> tuple[Tensor, Tensor, Tensor]:
    """Steps `(B, T, D)`, b and c `(B, T, N)` of one layer of a copier."""
    x = model.embedding(tokens)
    for norm, block in zip(model.norms[:layer], model.blocks[:layer], strict=True):
        x = x + block(norm(x))
    inner, _ = model.blocks[layer].scan_inputs(model.norms[layer](x))
    return model.blocks[layer].steps(inner)


@torch.no_grad()
def step_sizes(model: Copier, tokens: Tensor, layer: int) -> Tensor:
    """`(B, T)`: the step of each position, as the median of the channels."""
    return _scan_inputs(model, tokens, layer)[0].median(dim=-1).values


@torch.no_grad()
def hidden_attention(model: Copier, tokens: Tensor, layer: int, normalised: bool = True) -> Tensor:
    """How much each position takes from each other in one layer's scan, for the first sequence.

    Args:
        model: A trained copier.
        tokens: `(1, T)`.
        layer: Which block.
        normalised: Whether each row is divided by its sum.

    Returns:
        `(T, T)`: the mean size of the entries over the channels.
    """
    delta, b, c = _scan_inputs(model, tokens, layer)
    rate = -torch.exp(model.blocks[layer].A_log.detach())
    maps = [selective_matrix(delta[0, :, i], rate[i], b[0], c[0]).abs() for i in range(rate.shape[0])]
    mean = torch.stack(maps).mean(dim=0)
    return mean / mean.sum(dim=-1, keepdim=True) if normalised else mean
