"""The experts of chapter 07 against all experts at once, transformers, and the counts of published models."""

import math

import pytest
import torch
from torch.nn import functional as F

from tests.package.draws import Draws, normal
from tformer_course.checks.mamba_moe.counting import config_fields, counted, make_config
from tformer_course.models import mamba_moe as M

# --- experts ---------------------------------------------------------------------------------------------------------


def linear_experts(count, d):
    matrices = [normal(d, d, seed=10 + e) for e in range(count)]
    return [lambda tokens, w=w: torch.tanh(tokens @ w) for w in matrices]


def test_route_is_the_softmax_of_masked_logits():
    logits = normal(3, 5, 6)
    weights, indices = M.route_top_k(logits, 2)
    border = logits.topk(2).values[..., -1:]
    full = torch.softmax(logits.masked_fill(logits < border, -math.inf), -1)
    assert torch.allclose(torch.zeros_like(logits).scatter(-1, indices, weights), full)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_moe_is_every_expert_on_every_token_times_its_weight(k):
    x, experts = normal(17, 4), linear_experts(5, 4)
    matrix = normal(4, 5, seed=3)
    weights, indices = M.route_top_k(x @ matrix, k)
    full = torch.zeros(17, 5, dtype=torch.float64).scatter(1, indices, weights)
    every = torch.stack([e(x) for e in experts], dim=1)
    assert torch.allclose(M.moe_forward(x, lambda t: t @ matrix, experts, k), (full[..., None] * every).sum(1))


def test_moe_is_mixtral():
    from transformers.models.mixtral.configuration_mixtral import MixtralConfig
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock

    config = MixtralConfig(hidden_size=8, intermediate_size=12, num_local_experts=4, num_experts_per_tok=2)
    config._experts_implementation = "eager"  # what a whole model sets for its parts
    torch.manual_seed(0)
    block = MixtralSparseMoeBlock(config).eval()
    for p in block.parameters():
        torch.nn.init.normal_(p)

    def expert(e):
        def forward(tokens):
            gate, up = (tokens @ block.experts.gate_up_proj[e].T).chunk(2, -1)
            return F.silu(gate) * up @ block.experts.down_proj[e].T

        return forward

    x = normal(1, 9, 8, dtype=torch.float32)
    with torch.no_grad():
        mine = M.moe_forward(x[0], lambda t: t @ block.gate.weight.T, [expert(e) for e in range(4)], 2)
        assert torch.allclose(mine, block(x)[0], rtol=1e-4, atol=1e-4)


def test_capacity_drops_the_late_tokens():
    x, experts = normal(12, 4), linear_experts(3, 4)
    router = lambda t: torch.tensor([5.0, 0.0, -5.0], dtype=t.dtype).expand(len(t), 3)  # noqa: E731
    y, dropped = M.moe_with_capacity(x, router, experts, 1, factor=1.5)
    assert M.expert_capacity(12, 3, 1, 1.5) == 6 and dropped == 6
    assert torch.allclose(y[:6], experts[0](x[:6])) and y[6:].abs().max() == 0
    free, none = M.moe_with_capacity(x, router, experts, 2, factor=3.0)
    assert none == 0 and torch.allclose(free, M.moe_forward(x, router, experts, 2))


def test_balancing_loss_is_transformers_over_k():
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    logits = normal(40, 6, dtype=torch.float32)
    probs = torch.softmax(logits, -1)
    theirs = load_balancing_loss_func((logits,), 6, 2)
    assert torch.allclose(M.load_balancing_loss(probs, probs.topk(2).indices, 6), theirs / 2)


def test_balancing_loss_is_one_when_uniform_and_pushes_down_busy_experts():
    probs = torch.full((8, 4), 0.25, dtype=torch.float64, requires_grad=True)
    even = torch.arange(8)[:, None] % 4
    assert M.load_balancing_loss(probs, even, 4).item() == pytest.approx(1.0)
    (slope,) = torch.autograd.grad(M.load_balancing_loss(probs, torch.zeros(8, 1, dtype=torch.long), 4), probs)
    assert (slope[:, 0] > 0).all() and (slope[:, 1:] == 0).all()
    empty = M.load_balancing_loss(torch.zeros(0, 4), torch.zeros(0, 1, dtype=torch.long), 4)
    assert empty.item() == 0


def test_z_loss_and_bias():
    assert M.router_z_loss(torch.zeros(3, 4)).item() == pytest.approx(math.log(4) ** 2)
    bias = M.update_expert_bias(torch.zeros(3), torch.tensor([1, 2, 3]), 0.1)
    assert torch.allclose(bias, torch.tensor([0.1, 0.0, -0.1]))


# --- counting --------------------------------------------------------------------------------------------------------


def test_published_models_count_as_published():
    import transformers

    assert M.moe_parameters(transformers.MixtralConfig()) == (46_702_792_704, 12_879_925_248)
    assert M.moe_parameters(transformers.DeepseekV3Config()) == (671_026_404_352, 37_552_282_624)
    with pytest.raises(ValueError, match="bert"):
        M.moe_parameters(transformers.BertConfig())


@pytest.mark.parametrize(
    ("family", "fixed"),
    [
        ("mixtral", {}),
        ("mixtral", {"tie_word_embeddings": True, "head_dim": 10}),
        ("deepseek_v3", {}),
        ("deepseek_v3", {"q_lora_rank": None, "attention_bias": True}),
        ("deepseek_v3", {"attention_bias": True, "tie_word_embeddings": True, "n_shared_experts": 3}),
    ],
)
def test_counts_are_those_of_the_models(family, fixed):
    fields = config_fields(Draws(), family, **fixed)
    assert list(M.moe_parameters(make_config(family, fields))) == counted(family, fields)
