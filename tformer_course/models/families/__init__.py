"""Chapter 05, BERT, GPT, T5 and LLaMA: the reference implementations. LLaMA itself is in `models/llama.py`.

Dimension key, the same letters in every chapter:
    B batch, H heads, G key-value heads, T queries, S keys, C d_model, D d_head, F d_ff, V vocabulary.
A mask is boolean and True means "may attend".
"""

from ..llama import Llama, LlamaBlock, attend_grouped, llama_from
from .bert import BertLayer, bert_embed, bert_hidden_states
from .counting import count_parameters
from .decoding import cache_bytes_per_token, generate_cached, generate_uncached, sample_next
from .objectives import mask_tokens, nsp_pairs, shift_labels, span_corruption
from .pictures import clip_loss, patchify
from .tiny import KINDS, TinyCLIP, TinyStack, tiny_model

__all__ = [
    "KINDS",
    "BertLayer",
    "Llama",
    "LlamaBlock",
    "TinyCLIP",
    "TinyStack",
    "attend_grouped",
    "bert_embed",
    "bert_hidden_states",
    "cache_bytes_per_token",
    "clip_loss",
    "count_parameters",
    "generate_cached",
    "generate_uncached",
    "llama_from",
    "mask_tokens",
    "nsp_pairs",
    "patchify",
    "sample_next",
    "shift_labels",
    "span_corruption",
    "tiny_model",
]
