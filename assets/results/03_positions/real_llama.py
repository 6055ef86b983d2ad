"""A real LLaMA past its context: SmolLM2-135M, configured for 8,192 positions, reads 12,288 tokens.

    python assets/results/03_positions/real_llama.py

The text is the language reference that comes with Python (`pydoc_data.topics`), so the numbers differ a little between
versions of Python; the version is stored. For each text, one pass over 12,288 tokens gives the perplexity of each block
of 1,024; the last block is then read once more with a fresh context of 2,048 tokens. All positions times 8 on 1,024
tokens shows the same break without a long text. One thread; 5 to 10 minutes per text on a free core. What is done is
not done again. The results are written to real_llama.json beside this file.
"""

from __future__ import annotations

import json
import math
import platform
from pathlib import Path

import torch
from torch import Tensor, nn

from tformer_course.pretrained import load_llama

LENGTH, BLOCK, FRESH = 12_288, 1_024, 2_048
RESULTS = Path(__file__).resolve().parent / "real_llama.json"


def texts(tokenizer, count: int = 3) -> list[Tensor]:
    """`count` texts of LENGTH tokens `(1, LENGTH)`, one after the other from the language reference."""
    from pydoc_data.topics import topics

    whole = "\n\n".join(topics[key] for key in sorted(topics))
    tokens = tokenizer(whole, return_tensors="pt").input_ids
    return [tokens[:, i * LENGTH : (i + 1) * LENGTH] for i in range(count)]


def losses(model: nn.Module, tokens: Tensor, positions: Tensor | None = None) -> Tensor:
    """Loss of each token but the first, `(n − 1,)`; logits are made 512 positions at a time."""
    # Without a mask, transformers takes positions that jump for packed texts, and hides all but the token itself.
    mask = torch.ones_like(tokens)
    with torch.no_grad():
        hidden = model.model(tokens, mask, position_ids=positions, use_cache=False).last_hidden_state[0]  # (n, C)
        parts = [
            nn.functional.cross_entropy(model.lm_head(h), t, reduction="none")
            for h, t in zip(hidden[:-1].split(512), tokens[0, 1:].split(512), strict=True)
        ]
    return torch.cat(parts)


def perplexity(loss: Tensor) -> float:
    """Rounded to four digits after the point."""
    return round(math.exp(loss.double().mean().item()), 4)


def main() -> None:
    """Measures what is missing."""
    torch.set_num_threads(1)
    model, tokenizer = load_llama(attn_implementation="sdpa")
    done = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"texts": {}}
    done["setting"] = {
        "model": "SmolLM2-135M-Instruct",
        "configured_for": model.config.max_position_embeddings,
        "base": model.config.rope_parameters["rope_theta"],
        "length": LENGTH,
        "block": BLOCK,
        "fresh_context": FRESH,
        "python": platform.python_version(),
    }
    parts = texts(tokenizer)
    rows = [done["texts"].setdefault(str(number), {}) for number in range(len(parts))]

    def keep(row: dict, name: str, value: object) -> None:
        row[name] = value
        RESULTS.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        print(name, value, flush=True)

    for row, tokens in zip(rows, parts, strict=True):  # the short measurements first
        if "stretched" not in row:
            short, positions = tokens[:, :BLOCK], torch.arange(BLOCK)[None]
            keep(row, "stretched", {str(by): perplexity(losses(model, short, positions * by)) for by in (1, 2, 4, 8)})
        if "last_block_fresh" not in row:
            keep(row, "last_block_fresh", perplexity(losses(model, tokens[:, -FRESH - BLOCK :])[-BLOCK:]))
    for row, tokens in zip(rows, parts, strict=True):
        if "blocks" not in row:
            keep(row, "blocks", [perplexity(part) for part in losses(model, tokens).split(BLOCK)])


if __name__ == "__main__":
    main()
