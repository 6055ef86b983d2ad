"""Pretraining of chapter 08: one small model, two objectives, and what it is asked on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from tformer_course.assets import asset
from tformer_course.models.attention import causal_mask
from tformer_course.models.families import mask_tokens
from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.pretrain_finetune import cosine_with_warmup, mlm_loss, next_token_loss

from ..threads import one_thread
from .stories import COLOURS, END, LENGTH, MASK, PAD, SPECIAL, VOCAB, encode_stories, story_batches, story_texts


def small_model(objective: str, seed: int, d_model: int = 64, num_heads: int = 4, num_layers: int = 2) -> TinyStack:
    """Chapter 05's stack for this vocabulary; the mask is all that "causal" and "masked" differ in."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return TinyStack(VOCAB, objective == "causal", d_model, num_heads, num_layers, max_len=LENGTH)


def real_tokens(rows: Tensor, pad: int) -> tuple[Tensor, Tensor]:
    """Rows that a model can read, and the mask `(B, 1, 1, T)` of what is no padding."""
    return rows.masked_fill(rows < 0, pad), (rows >= 0)[:, None, None, :]


def special_ids(tokenizer: Tokenizer) -> dict[str, int]:
    """Ids of the special tokens."""
    return {token: tokenizer.token_to_id(token) for token in SPECIAL}


def story_loss(
    model: TinyStack, rows: Tensor, special: dict[str, int], generator: torch.Generator | None = None
) -> Tensor:
    """The loss of the model's own objective on rows `(B, T)` with −100 as padding."""
    inputs, real = real_tokens(rows, special[PAD])
    if model.causal:
        return next_token_loss(model(inputs, real & causal_mask(rows.shape[1])), rows)
    inputs, labels = mask_tokens(inputs, special[MASK], VOCAB, special.values(), generator=generator)
    return mlm_loss(model(inputs, real), labels)


@dataclass
class History:
    """What a training run leaves: losses of the steps, and what was looked at on the way."""

    losses: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    looks: list = field(default_factory=list)


@one_thread()
def pretrain(
    model: TinyStack,
    tokenizer: Tokenizer,
    steps: int,
    *,
    seed: int = 0,
    batch: int = 32,
    peak: float = 4e-3,
    warmup: int = 50,
    look: Callable[[TinyStack], object] | None = None,
    look_every: int = 50,
    progress: Callable[[Iterator[int]], Iterator[int]] = iter,
) -> History:
    """Train on fresh stories; on one thread, since matrices this small leave more of them waiting.

    Args:
        model: Changed in place; its own objective is trained.
        tokenizer: Of the chapter.
        steps, batch, peak, warmup: Of the recipe; AdamW, half a cosine to a twentieth of the peak, clipped gradients.
        seed: Of the stories and masks.
        look: Called every `look_every` steps and at the end, in evaluation mode.
        progress: Wraps the steps, for example tqdm.
    """
    special = special_ids(tokenizer)
    stories, generator = story_batches(tokenizer, batch, seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98))
    history = History()
    for step in progress(range(1, steps + 1)):
        for group in optimizer.param_groups:
            group["lr"] = cosine_with_warmup(step, warmup, steps, peak, peak / 20)
        loss = story_loss(model, next(stories), special, generator)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        history.losses.append(loss.item())
        if look and (step % look_every == 0 or step == steps):
            history.steps.append(step)
            with torch.no_grad():
                history.looks.append(look(model.eval()))
            model.train()
    model.eval()
    return history


def trained_model(objective: str, seed: int = 0) -> TinyStack:
    """A pretrained model that comes with the course: the causal ones, of seeds 0, 1 and 2.

    Raises:
        FileNotFoundError: Where the weights are missing.
    """
    model = small_model(objective, seed)
    weights = load_file(asset(f"weights/08_pretrain_finetune/{objective}_seed{seed}.safetensors"))
    model.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return model.eval()


# --- what models are asked -----------------------------------------------------------------------------------------


@torch.no_grad()
def held_out_loss(model: TinyStack, tokenizer: Tokenizer, count: int = 256, seed: int = 999) -> float:
    """Next-token loss of a causal model on stories that it has not seen, in nats per token."""
    special = special_ids(tokenizer)
    return story_loss(model, encode_stories(tokenizer, story_texts(count, seed)), special).item()


@torch.no_grad()
def colour_guesses(model: TinyStack, tokenizer: Tokenizer, count: int = 256, seed: int = 999) -> dict[str, float]:
    """How often a hidden colour is guessed: the first, which only what follows tells, and the second, told before.

    A causal model reads what stands left of the place, a masked one everything around it.
    """
    special = special_ids(tokenizer)
    rows = encode_stories(tokenizer, story_texts(count, seed))
    inputs, real = real_tokens(rows, special[PAD])
    colours = torch.tensor([tokenizer.encode(f" {c}").ids for c in COLOURS])  # one token each
    is_colour = torch.isin(rows, colours)
    places = is_colour.int().cumsum(dim=1)
    found = {}
    for order, name in ((1, "the first"), (2, "the second")):
        at = (is_colour & (places == order)).int().argmax(dim=1, keepdim=True)  # (B, 1)
        wanted = rows.gather(1, at)
        if model.causal:
            logits, read = model(inputs, real & causal_mask(rows.shape[1])), at - 1
        else:
            logits, read = model(inputs.scatter(1, at, special[MASK]), real), at
        scores = logits.gather(1, read.unsqueeze(-1).expand(-1, -1, VOCAB)).squeeze(1)
        found[name] = (scores.argmax(dim=-1, keepdim=True) == wanted).double().mean().item()
    return found


@torch.no_grad()
def write_on(
    model: nn.Module, tokenizer: Tokenizer, prompt: str, tokens: int = 40, generator: torch.Generator | None = None
) -> str:
    """What a causal model writes after a prompt, up to its end token; greedy without a generator."""
    end = tokenizer.token_to_id(END)
    ids = [end, *tokenizer.encode(prompt).ids]
    start = len(ids)
    while len(ids) - start < tokens and len(ids) < LENGTH:
        scores = model(torch.tensor([ids]))[0, -1]
        choice = scores.argmax() if generator is None else torch.multinomial(scores.softmax(-1), 1, generator=generator)
        if choice.item() == end:
            break
        ids.append(choice.item())
    return tokenizer.decode(ids[start:], skip_special_tokens=False)
