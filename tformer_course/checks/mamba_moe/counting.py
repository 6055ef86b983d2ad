"""moe_parameters."""

from __future__ import annotations

from typing import Any

from ...models.mamba_moe import counting as reference
from ..core.exercise import Case, Exercise, Mistake

# What a draw chooses from, so that no two sizes are equal by chance.
_SIZES = {
    "mixtral": {
        "vocab_size": (90, 99),
        "hidden_size": (24, 24),
        "intermediate_size": (50, 70),
        "num_hidden_layers": (2, 5),
        "num_attention_heads": (6, 6),
        "num_key_value_heads": (2, 3),
        "num_local_experts": (5, 9),
        "num_experts_per_tok": (2, 3),
    },
    "deepseek_v3": {
        "vocab_size": (90, 99),
        "hidden_size": (24, 30),
        "intermediate_size": (50, 70),
        "moe_intermediate_size": (11, 19),
        "num_hidden_layers": (5, 7),
        "num_attention_heads": (3, 4),
        "n_shared_experts": (2, 3),
        "n_routed_experts": (8, 8),
        "n_group": (2, 2),
        "topk_group": (1, 1),
        "num_experts_per_tok": (2, 3),
        "first_k_dense_replace": (1, 3),
        "q_lora_rank": (12, 14),
        "kv_lora_rank": (8, 10),
        "qk_nope_head_dim": (5, 7),
        "qk_rope_head_dim": (4, 4),
        "v_head_dim": (8, 9),
    },
}


def config_fields(draw, family: str, **fixed) -> dict[str, Any]:
    """Fields of a random configuration; `fixed` ones are taken as given.

    transformers is loaded here, so that it is not the answer's time.
    """
    make_config(family, {})
    return {name: draw.integer(*ends) for name, ends in _SIZES[family].items()} | fixed


def make_config(family: str, fields: dict[str, Any]):
    """The transformers configuration of a family with these fields."""
    import transformers

    if family == "deepseek_v3":
        fields = {"num_nextn_predict_layers": 1} | fields  # older versions of transformers leave it out
    if family == "deepseek_v3" and "num_attention_heads" in fields:
        fields = {"num_key_value_heads": fields["num_attention_heads"]} | fields
    return getattr(transformers, {"mixtral": "MixtralConfig", "deepseek_v3": "DeepseekV3Config"}[family])(**fields)


def counted(family: str, fields: dict[str, Any]) -> list[int]:
    """Total and active parameters of the model that transformers builds without memory for weights."""
    import torch
    import transformers

    config = make_config(family, fields)
    kinds = {"mixtral": "MixtralForCausalLM", "deepseek_v3": "DeepseekV3ForCausalLM"}
    with torch.device("meta"):
        model = getattr(transformers, kinds[family])(config)
        model.tie_weights()
    total = sum(p.numel() for p in model.parameters())
    routed = [p for name, p in model.named_parameters() if ".mlp.experts." in name]  # (E, ·, ·), one per layer
    idle = sum(p.numel() // p.shape[0] * (p.shape[0] - config.num_experts_per_tok) for p in routed)
    return [total, total - idle]


def count(answer, family, fields):
    """An answer's two numbers."""
    total, active = answer(make_config(family, fields))
    return [int(total), int(active)]


def _right(config):
    return reference.moe_parameters(config)


def _case(name, family, **fixed):
    return Case(
        name,
        lambda draw: [family, config_fields(draw, family, **fixed)],
        lambda family, fields: list(_right(make_config(family, fields))),
        call=count,
        tol=0.0,
        limit=10.0,
    )


def _off(mixtral=None, deepseek=None):
    """Counts that are off by something, by family; each gives the surplus in total and in active."""

    def moe_parameters(config):
        surplus = {"mixtral": mixtral, "deepseek_v3": deepseek}[config.model_type]
        more = surplus(config) if surplus else 0
        in_total, in_active = more if isinstance(more, tuple) else (more, more)
        total, active = _right(config)
        return total + in_total, active + in_active

    return moe_parameters


def _shape(c) -> tuple[int, int, int]:
    """Parameters of one expert, layers with experts, experts per layer."""
    if c.model_type == "mixtral":
        return 3 * c.hidden_size * c.intermediate_size, c.num_hidden_layers, c.num_local_experts
    sparse = c.num_hidden_layers - c.first_k_dense_replace
    return 3 * c.hidden_size * c.moe_intermediate_size, sparse, c.n_routed_experts


def _both(function):
    return _off(function, function)


def _idle_in_one_layer(c):
    expert, layers, experts = _shape(c)
    return 0, (layers - 1) * (experts - c.num_experts_per_tok) * expert


def _used_in_one_layer(c):
    expert, layers, _ = _shape(c)
    return 0, -(layers - 1) * c.num_experts_per_tok * expert


def _all_sparse(c):
    expert, _, experts = _shape(c)
    each = c.hidden_size * experts + (experts + c.n_shared_experts) * expert - 3 * c.hidden_size * c.intermediate_size
    used = each - (experts - c.num_experts_per_tok) * expert
    return c.first_k_dense_replace * each, c.first_k_dense_replace * used


def _kv_as_wide(c):
    head = c.head_dim or c.hidden_size // c.num_attention_heads
    return 2 * c.num_hidden_layers * c.hidden_size * head * (c.num_attention_heads - c.num_key_value_heads)


def _router(c):
    _, layers, experts = _shape(c)
    return -layers * experts * c.hidden_size


def _no_low_rank(c):
    query = c.num_attention_heads * (c.qk_nope_head_dim + c.qk_rope_head_dim)
    if c.q_lora_rank is None:
        return 0
    bias = c.q_lora_rank if c.attention_bias else 0
    low = c.hidden_size * c.q_lora_rank + c.q_lora_rank + c.q_lora_rank * query + bias
    return c.num_hidden_layers * (c.hidden_size * query - low)


MOE_PARAMETERS = Exercise(
    name="moe_parameters",
    points=1.5,
    reference=reference.moe_parameters,
    forbid=(),
    cases=(
        _case("Mixtral", "mixtral"),
        _case("Mixtral, tied", "mixtral", tie_word_embeddings=True),
        _case("Mixtral with head_dim", "mixtral", head_dim=10),
        _case("DeepSeek-V3", "deepseek_v3"),
        _case("DeepSeek-V3 without q_lora_rank", "deepseek_v3", q_lora_rank=None),
        _case("DeepSeek-V3 with biases", "deepseek_v3", attention_bias=True),
    ),
    mistakes=(
        Mistake(
            "one_layer_only",
            "your active count leaves the idle experts out in one layer only. How many layers have experts?",
            _both(_idle_in_one_layer),
        ),
        Mistake(
            "used_in_one_layer",
            "your active count has the used experts of one layer only. How many layers have experts?",
            _both(_used_in_one_layer),
        ),
        Mistake(
            "all_experts_active",
            "your active count is the total. How many experts of a layer does one token use?",
            _both(lambda c: (0, _right(c)[0] - _right(c)[1])),
        ),
        Mistake(
            "one_expert_active",
            "your active count has one expert per layer. How many does one token use?",
            _both(lambda c: (0, -_shape(c)[1] * (c.num_experts_per_tok - 1) * _shape(c)[0])),
        ),
        Mistake(
            "embedding_not_active",
            "your active count leaves the embedding table out. Which parameters does this course's definition "
            "subtract?",
            _both(lambda c: (0, -c.vocab_size * c.hidden_size)),
        ),
        Mistake(
            "router_forgotten", "the routers are missing. How large is the matrix that gives E logits?", _both(_router)
        ),
        Mistake(
            "two_matrices",
            "an expert has two matrices in your count. How many has SwiGLU?",
            _both(
                lambda c: (
                    -_shape(c)[1] * _shape(c)[2] * _shape(c)[0] // 3,
                    -_shape(c)[1] * c.num_experts_per_tok * _shape(c)[0] // 3,
                )
            ),
        ),
        Mistake(
            "no_norms",
            "the two norms of each layer are missing. How many numbers has each?",
            _both(lambda c: -2 * c.num_hidden_layers * c.hidden_size),
        ),
        Mistake(
            "no_final_norm",
            "the norm after the last layer is missing. How many numbers has it?",
            _both(lambda c: -c.hidden_size),
        ),
        Mistake(
            "always_tied",
            "the output layer is missing where it is not tied. Which field tells?",
            _both(lambda c: 0 if c.tie_word_embeddings else -c.vocab_size * c.hidden_size),
        ),
        Mistake(
            "never_tied",
            "the output layer is counted although it is tied. Which field tells?",
            _both(lambda c: c.vocab_size * c.hidden_size if c.tie_word_embeddings else 0),
        ),
        Mistake(
            "as_many_kv_heads",
            "Mixtral's k_proj and v_proj are as wide as q_proj in your count. How many key-value heads are there?",
            _off(mixtral=_kv_as_wide),
        ),
        Mistake(
            "head_dim_ignored",
            "head_dim changes nothing. Must heads times width be hidden_size?",
            _off(
                mixtral=lambda c: (
                    2
                    * c.num_hidden_layers
                    * c.hidden_size
                    * (c.num_attention_heads + c.num_key_value_heads)
                    * (c.hidden_size // c.num_attention_heads - (c.head_dim or c.hidden_size // c.num_attention_heads))
                )
            ),
        ),
        Mistake(
            "shared_expert_forgotten",
            "DeepSeek's shared experts are missing. Who uses them?",
            _off(deepseek=lambda c: -_shape(c)[1] * c.n_shared_experts * _shape(c)[0]),
        ),
        Mistake(
            "shared_expert_not_active",
            "DeepSeek's shared experts are missing in the second number. Which tokens use them?",
            _off(deepseek=lambda c: (0, -_shape(c)[1] * c.n_shared_experts * _shape(c)[0])),
        ),
        Mistake(
            "one_shared_expert",
            "you count one shared expert a layer. How many does n_shared_experts name?",
            _off(deepseek=lambda c: -_shape(c)[1] * (c.n_shared_experts - 1) * _shape(c)[0]),
        ),
        Mistake(
            "dense_first_layers",
            "DeepSeek's first layers have experts in your count. Which field says how many are dense?",
            _off(deepseek=_all_sparse),
        ),
        Mistake(
            "bias_buffers_counted",
            "you count the biases that balance the load. Are they parameters or buffers?",
            _off(deepseek=lambda c: _shape(c)[1] * _shape(c)[2]),
        ),
        Mistake(
            "no_norms_in_attention",
            "the norms inside DeepSeek's attention are missing. Which two small vectors are normalised?",
            _off(deepseek=lambda c: -c.num_hidden_layers * ((c.q_lora_rank or 0) + c.kv_lora_rank)),
        ),
        Mistake(
            "low_rank_ignored",
            "q_lora_rank changes nothing. Through which width do the queries pass?",
            _off(deepseek=_no_low_rank),
        ),
        Mistake(
            "attention_bias_ignored",
            "attention_bias changes nothing. Which layers of DeepSeek's attention get a bias by it?",
            _off(
                deepseek=lambda c: (
                    -c.attention_bias
                    * c.num_hidden_layers
                    * ((c.q_lora_rank or 0) + c.kv_lora_rank + c.qk_rope_head_dim + c.hidden_size)
                )
            ),
        ),
    ),
)
