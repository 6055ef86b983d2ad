"""Chapter 08, from text to an assistant: the reference implementations.

`losses` holds the two objectives of pretraining, `optimiser` what turns their gradients into steps, `examples` how
conversations become rows of tokens, `lora` how a large model is changed by few numbers.

Dimension key, the same letters in every chapter:
    B batch, T positions, V vocabulary, C d_model, R rows, L row length, r rank.
A label of −100 means "does not count".
"""

from .examples import pack_examples, packed_mask, sft_labels
from .lora import LoRALinear, add_lora, merge_lora, trainable_share
from .losses import mlm_loss, next_token_loss, perplexity
from .optimiser import accumulate_gradients, adamw_step, cosine_with_warmup

__all__ = [
    "LoRALinear",
    "accumulate_gradients",
    "adamw_step",
    "add_lora",
    "cosine_with_warmup",
    "merge_lora",
    "mlm_loss",
    "next_token_loss",
    "pack_examples",
    "packed_mask",
    "perplexity",
    "sft_labels",
    "trainable_share",
]
