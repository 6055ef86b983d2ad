"""Which of the 270 heads of SmolLM2-135M does it miss? Each head is switched off alone, on three texts.

    python assets/results/02_multi_head_ablation.py

writes 02_multi_head_ablation.json beside this file: the rise of the loss (nats per token) for text × layer × head.
About two minutes on one CPU thread. Needs the offline LLaMA (`tformer models`).
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from tformer_course.models import head_importance
from tformer_course.pretrained import load_llama

LENGTH = 64  # tokens of each text
TEXTS = (
    "The harbour was quiet in the early morning. Two fishermen mended their nets beside the old wall, and a "
    "boy carried water from the well to their boat. When the sun came up behind the hills, the boat left the "
    "harbour, and the boy waved until it was too small to be seen. Then he carried the empty bucket home.",
    "Water boils at one hundred degrees at sea level. On a high mountain the air presses less on the surface "
    "of the water, and so it boils at a lower temperature. That is why rice takes longer to cook in the "
    "mountains: the water boils, but it is not as hot as it would be at the sea, and the rice stays hard for "
    "longer.",
    "To sort a list of numbers, compare the first number with the second. If the first is larger, exchange the "
    "two. Then compare the second with the third, and so on until the end of the list. Now the largest number "
    "stands at the end. Repeat the whole walk for the rest of the list until no two numbers are exchanged.",
)


def rises_of_layer(model, ids, layer: int) -> torch.Tensor:
    """`(texts, heads)`: how much each text's loss rises when one head of the layer is off."""
    attention = model.model.layers[layer].self_attn
    heads, width = model.config.num_attention_heads, attention.head_dim
    losses: list[torch.Tensor] = []

    def loss_fn(on):
        # The input of o_proj is the heads side by side: a head is off where its slice is zero.
        handle = attention.o_proj.register_forward_pre_hook(lambda _, args: (args[0] * on.repeat_interleave(width),))
        try:
            with torch.no_grad():
                logits = model(input_ids=ids, use_cache=False).logits  # (texts, n, V)
        finally:
            handle.remove()
        losses.append(cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none").mean(1))
        return losses[-1].mean()

    head_importance(loss_fn, heads)
    return torch.stack(losses[1:], dim=1) - losses[0][:, None]  # its first call has all heads on


def main() -> None:
    torch.set_num_threads(1)
    model, tokenizer = load_llama()
    ids = torch.tensor([tokenizer(text).input_ids[:LENGTH] for text in TEXTS])
    layers = [rises_of_layer(model, ids, layer) for layer in range(model.config.num_hidden_layers)]
    with torch.no_grad():
        logits = model(input_ids=ids).logits
    losses = cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none").mean(1)
    results = {
        "command": "python assets/results/02_multi_head_ablation.py",
        "torch": torch.__version__,
        "tokens": LENGTH,
        "texts": list(TEXTS),
        "loss": [round(x, 4) for x in losses.tolist()],
        "rise": [[[round(x, 4) for x in row] for row in text] for text in torch.stack(layers, dim=1).tolist()],
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(results) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
