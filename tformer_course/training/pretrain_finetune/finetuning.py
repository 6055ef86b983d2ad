"""Fine-tuning of chapter 08: questions about people of the stories, and how much of the stories is forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.pretrain_finetune import cosine_with_warmup, next_token_loss, sft_labels

from ..threads import one_thread
from .pretraining import held_out_loss, special_ids, story_loss
from .stories import END, HELD_OUT, TAUGHT, question, story_batches

KINDS = ("home", "animal")
LORA_LAYERS = ("w_q", "w_k", "w_v", "w_o", "0", "2")  # attention, and both layers of ffn


def conversations(
    tokenizer: Tokenizer, names: Sequence[str], kinds: Sequence[str] = KINDS
) -> tuple[Tensor, Tensor, Tensor]:
    """Every question about every name: rows `(B, T)` padded with END, prompt lengths `(B,)` and real lengths `(B,)`."""
    end = tokenizer.token_to_id(END)
    pairs = [[tokenizer.encode(text).ids for text in question(name, kind)] for name in names for kind in kinds]
    rows = [[end, *prompt, *answer, end] for prompt, answer in pairs]
    prompts = torch.tensor([1 + len(prompt) for prompt, _ in pairs])
    lengths = torch.tensor([len(row) for row in rows])
    ids = torch.full((len(rows), int(lengths.max())), end)
    for filled, row in zip(ids, rows, strict=True):
        filled[: len(row)] = torch.tensor(row)
    return ids, prompts, lengths


@torch.no_grad()
def right_answers(model: nn.Module, tokenizer: Tokenizer, names: Sequence[str]) -> float:
    """Share of questions whose whole answer, with its end, is what the model writes greedily."""
    ids, prompts, lengths = conversations(tokenizer, names)
    labels = sft_labels(ids, prompts, lengths)[:, 1:]
    said = model(ids)[:, :-1].argmax(dim=-1)  # equal to the labels all along: then greedy decoding writes them
    return ((said == labels) | (labels == -100)).all(dim=1).double().mean().item()


@one_thread()
def finetune(
    model: TinyStack,
    tokenizer: Tokenizer,
    steps: int,
    *,
    peak: float,
    seed: int = 0,
    batch: int = 16,
    replay: int = 0,
    on_prompt: bool = False,
) -> list[float]:
    """Teach a pretrained model to answer, by questions about half of the names; the model is changed.

    Args:
        model: Only parameters with requires_grad are trained.
        tokenizer: Of the chapter.
        steps, batch, peak: AdamW without decay, 10 steps of warm-up, half a cosine to 0.
        seed: Of the order of the questions, and of the stories.
        replay: Stories that each step reads besides the questions.
        on_prompt: Whether the prompt counts in the loss too.

    Returns:
        The loss of each step.
    """
    ids, prompts, lengths = conversations(tokenizer, TAUGHT)
    labels = sft_labels(ids, torch.ones_like(prompts) if on_prompt else prompts, lengths)
    generator = torch.Generator().manual_seed(seed)
    stories, special = story_batches(tokenizer, max(replay, 1), 1000 + seed), special_ids(tokenizer)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], weight_decay=0.0)
    losses = []
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = cosine_with_warmup(step, 10, steps + 1, peak)
        chosen = torch.randint(len(ids), (batch,), generator=generator)
        loss = next_token_loss(model(ids[chosen]), labels[chosen])
        if replay:
            loss = loss + story_loss(model, next(stories), special)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def abilities(model: TinyStack, tokenizer: Tokenizer) -> dict[str, float]:
    """Right answers on names that were taught and on names that were not, and the loss on stories."""
    return {
        "taught": right_answers(model, tokenizer, TAUGHT),
        "not taught": right_answers(model, tokenizer, HELD_OUT),
        "story loss": held_out_loss(model, tokenizer),
    }
