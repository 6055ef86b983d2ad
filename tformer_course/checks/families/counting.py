"""count_parameters."""

from __future__ import annotations

from typing import Any

from ...models.families import counting as reference
from ..core.exercise import Case, Exercise, Mistake

# What a draw chooses from, so that no two sizes are equal by chance.
_SIZES = {
    "bert": {
        "vocab_size": (90, 99),
        "hidden_size": (24, 24),
        "num_hidden_layers": (2, 5),
        "intermediate_size": (50, 70),
        "max_position_embeddings": (30, 40),
        "type_vocab_size": (2, 4),
        "num_attention_heads": (4, 4),
    },
    "gpt2": {
        "vocab_size": (90, 99),
        "n_positions": (30, 40),
        "n_embd": (24, 24),
        "n_layer": (2, 5),
        "n_head": (4, 4),
    },
    "t5": {
        "vocab_size": (90, 99),
        "d_model": (20, 30),
        "d_kv": (3, 9),
        "d_ff": (50, 70),
        "num_layers": (2, 3),
        "num_decoder_layers": (4, 5),
        "num_heads": (2, 3),
        "relative_attention_num_buckets": (8, 16),
    },
    "llama": {
        "vocab_size": (90, 99),
        "hidden_size": (24, 24),
        "intermediate_size": (50, 70),
        "num_hidden_layers": (2, 5),
        "num_attention_heads": (6, 6),
        "num_key_value_heads": (2, 3),
    },
}


def config_fields(draw, family: str, **fixed) -> dict[str, Any]:
    """Fields of a random configuration; `fixed` ones are taken as given."""
    return {name: draw.integer(*ends) for name, ends in _SIZES[family].items()} | fixed


def make_config(family: str, fields: dict[str, Any]):
    """The transformers configuration of a family with these fields."""
    import transformers

    kinds = {"bert": "BertConfig", "gpt2": "GPT2Config", "t5": "T5Config", "llama": "LlamaConfig"}
    ids = {"bos_token_id": 0, "eos_token_id": 0} if family == "gpt2" else {}  # its own lie beyond a small vocabulary
    return getattr(transformers, kinds[family])(**fields, **ids)


def counted(family: str, fields: dict[str, Any]) -> int:
    """Parameters of the model that transformers builds without memory for weights; shared ones once."""
    import torch
    import transformers

    config = make_config(family, fields)
    kinds = {
        "bert": "BertModel",
        "gpt2": "GPT2LMHeadModel",
        "t5": "T5ForConditionalGeneration",
        "llama": "LlamaForCausalLM",
    }
    with torch.device("meta"):
        model = getattr(transformers, kinds[family])(config)
        model.tie_weights()
    return sum(p.numel() for p in model.parameters())


def _count(answer, family, fields):
    return int(answer(make_config(family, fields)))


def _case(name, family, **fixed):
    return Case(
        name,
        lambda draw: [family, config_fields(draw, family, **fixed)],
        lambda family, fields: reference.count_parameters(make_config(family, fields)),
        call=_count,
        tol=0.0,
        limit=10.0,
    )


def _more(**extra):
    """A count that is off by something, by family; each value maps a configuration to the surplus."""

    def count_parameters(config):
        surplus = extra.get(config.model_type)
        return reference.count_parameters(config) + (surplus(config) if surplus else 0)

    return count_parameters


def _t5_attention(c):
    return 4 * c.d_model * c.num_heads * c.d_kv


def _kv(c):
    return c.hidden_size // c.num_attention_heads * c.num_key_value_heads


COUNT_PARAMETERS = Exercise(
    name="count_parameters",
    points=2,
    reference=reference.count_parameters,
    forbid=(),
    helpers=(reference._bert, reference._gpt2, reference._t5, reference._llama),
    cases=(
        _case("BERT", "bert"),
        _case("GPT-2", "gpt2"),
        _case("GPT-2 with n_inner", "gpt2", n_inner=77),
        _case("T5", "t5"),
        _case("T5, as many decoder layers", "t5", num_decoder_layers=None),
        _case("LLaMA", "llama"),
        _case("LLaMA, tied", "llama", tie_word_embeddings=True),
        _case("LLaMA with biases", "llama", attention_bias=True, mlp_bias=True),
        _case("LLaMA with head_dim", "llama", head_dim=10),
    ),
    mistakes=(
        Mistake(
            "tied_weights_twice",
            "the output layer of GPT-2 and T5 is the embedding table, and you count it twice. How often is it stored?",
            _more(gpt2=lambda c: c.vocab_size * c.n_embd, t5=lambda c: c.vocab_size * c.d_model),
        ),
        Mistake(
            "no_pooler",
            "BERT's pooler is missing: one more linear layer after the last. How large is it?",
            _more(bert=lambda c: -(c.hidden_size**2 + c.hidden_size)),
        ),
        Mistake(
            "no_biases",
            "your linear layers have no biases. Which of the families leave them out, and which do not?",
            _more(
                bert=lambda c: -(c.num_hidden_layers * (5 * c.hidden_size + c.intermediate_size) + c.hidden_size),
                gpt2=lambda c: -c.n_layer * (5 * c.n_embd + (c.n_inner or 4 * c.n_embd)),
            ),
        ),
        Mistake(
            "no_position_table",
            "the table of positions is missing. Which families learn one?",
            _more(bert=lambda c: -c.max_position_embeddings * c.hidden_size, gpt2=lambda c: -c.n_positions * c.n_embd),
        ),
        Mistake(
            "no_token_types",
            "the table of token types is missing. How many rows has it?",
            _more(bert=lambda c: -c.type_vocab_size * c.hidden_size),
        ),
        Mistake(
            "no_embedding_norm",
            "the norm after BERT's embeddings is missing. How many numbers has it?",
            _more(bert=lambda c: -2 * c.hidden_size),
        ),
        Mistake(
            "no_norms",
            "the norms of the layers are missing. How many has a layer, and how many numbers has each?",
            _more(
                bert=lambda c: -c.num_hidden_layers * 4 * c.hidden_size,
                gpt2=lambda c: -c.n_layer * 4 * c.n_embd,
                t5=lambda c: -(2 * c.num_layers + 3 * c.num_decoder_layers) * c.d_model,
                llama=lambda c: -2 * c.num_hidden_layers * c.hidden_size,
            ),
        ),
        Mistake(
            "no_final_norm",
            "the norm after the last layer is missing. Which families have one?",
            _more(gpt2=lambda c: -2 * c.n_embd, t5=lambda c: -2 * c.d_model, llama=lambda c: -c.hidden_size),
        ),
        Mistake(
            "n_inner_ignored",
            "n_inner changes nothing. When is the hidden width 4·n_embd?",
            _more(
                gpt2=lambda c: 0 if c.n_inner is None else c.n_layer * (2 * c.n_embd + 1) * (4 * c.n_embd - c.n_inner)
            ),
        ),
        Mistake(
            "relative_bias_in_every_layer",
            "T5's relative bias is counted in every layer. Where is it stored, and who shares it?",
            _more(
                t5=lambda c: c.relative_attention_num_buckets * c.num_heads * (c.num_layers + c.num_decoder_layers - 2)
            ),
        ),
        Mistake(
            "relative_bias_once",
            "T5's relative bias is counted once. How many stacks have one?",
            _more(t5=lambda c: -c.relative_attention_num_buckets * c.num_heads),
        ),
        Mistake(
            "no_relative_bias",
            "T5's relative bias is missing: a table of buckets × heads. How many of them are there?",
            _more(t5=lambda c: -2 * c.relative_attention_num_buckets * c.num_heads),
        ),
        Mistake(
            "no_cross_attention",
            "the cross-attention of T5's decoder is missing. How many attentions has a decoder layer?",
            _more(t5=lambda c: -c.num_decoder_layers * (_t5_attention(c) + c.d_model)),
        ),
        Mistake(
            "d_kv_ignored",
            "you take the heads of T5 for d_model wide in all. Which field says how wide a head is?",
            _more(
                t5=lambda c: (
                    (c.num_layers + 2 * c.num_decoder_layers) * 4 * c.d_model * (c.d_model - c.num_heads * c.d_kv)
                )
            ),
        ),
        Mistake(
            "decoder_as_deep_as_encoder",
            "num_decoder_layers changes nothing. How deep is the decoder?",
            _more(
                t5=lambda c: (
                    (c.num_layers - c.num_decoder_layers)
                    * (2 * _t5_attention(c) + 2 * c.d_model * c.d_ff + 3 * c.d_model)
                )
            ),
        ),
        Mistake(
            "as_many_kv_heads",
            "LLaMA's k_proj and v_proj are as wide as q_proj in your count. How many key-value heads are there?",
            _more(llama=lambda c: 2 * c.num_hidden_layers * c.hidden_size * (c.hidden_size - _kv(c))),
        ),
        Mistake(
            "two_ffn_matrices",
            "LLaMA's feed-forward network has two matrices in your count. How many has SwiGLU?",
            _more(llama=lambda c: -c.num_hidden_layers * c.hidden_size * c.intermediate_size),
        ),
        Mistake(
            "always_tied",
            "LLaMA's output layer is missing where it is not tied. Which field tells?",
            _more(llama=lambda c: 0 if c.tie_word_embeddings else -c.vocab_size * c.hidden_size),
        ),
        Mistake(
            "never_tied",
            "LLaMA's output layer is counted although it is tied. Which field tells?",
            _more(llama=lambda c: c.vocab_size * c.hidden_size if c.tie_word_embeddings else 0),
        ),
        Mistake(
            "llama_biases_ignored",
            "attention_bias and mlp_bias change nothing. Which layers get a bias by each?",
            _more(
                llama=lambda c: (
                    -c.num_hidden_layers
                    * (
                        c.attention_bias * (2 * c.hidden_size + 2 * _kv(c))
                        + c.mlp_bias * (2 * c.intermediate_size + c.hidden_size)
                    )
                )
            ),
        ),
        Mistake(
            "head_dim_ignored",
            "head_dim changes nothing. Must heads times width be hidden_size?",
            _more(
                llama=lambda c: (
                    c.num_hidden_layers
                    * 2
                    * c.hidden_size
                    * (c.num_attention_heads + c.num_key_value_heads)
                    * (c.hidden_size // c.num_attention_heads - c.head_dim)
                )
            ),
        ),
    ),
)
