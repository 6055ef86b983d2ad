"""The references of chapter 05 against transformers, torch, slow loops, closed forms and properties."""

import doctest
import math

import pytest
import torch
import torch.nn.functional as F

from tests.package.draws import normal, seeded
from tformer_course.checks.families import bert_layer, counting
from tformer_course.checks.families.llama import llama_weights, slow_block
from tformer_course.models import grouped_query_attention, llama
from tformer_course.models.attention import causal_mask
from tformer_course.models.families import bert, decoding, pictures


@pytest.mark.parametrize("module", [decoding, pictures])
def test_doctests_hold(module):
    assert doctest.testmod(module).failed == 0


# --- LLaMA and BERT ------------------------------------------------------------------------------------------------


def llama_config(**changed):
    import transformers

    fields = {
        "vocab_size": 60,
        "hidden_size": 24,
        "intermediate_size": 40,
        "num_hidden_layers": 2,
        "num_attention_heads": 6,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "attn_implementation": "eager",
    }
    return transformers.LlamaConfig(**(fields | changed))


@pytest.mark.parametrize("heads", [6, 2, 1])
@pytest.mark.parametrize("base", [10000.0, 50.0])
def test_llama_block_equals_transformers_layer(heads, base):
    from transformers.models.llama.modeling_llama import LlamaDecoderLayer, LlamaRotaryEmbedding

    config = llama_config(num_key_value_heads=heads, rope_parameters={"rope_type": "default", "rope_theta": base})
    theirs = LlamaDecoderLayer(config, 0).double()
    ours = llama.LlamaBlock(24, 6, heads, 40, config.rms_norm_eps, base).double()
    ours.load_state_dict(theirs.state_dict())
    x = normal(2, 7, 24)
    tables = LlamaRotaryEmbedding(config)(x, torch.arange(7)[None])
    mask = torch.zeros(7, 7, dtype=torch.float64).masked_fill(~causal_mask(7), -math.inf)[None, None]
    right = theirs(x, attention_mask=mask, position_embeddings=tables)
    torch.testing.assert_close(ours(x), right, atol=1e-5, rtol=1e-5)


def test_llama_block_equals_a_slow_one():
    from tformer_course.checks.core.draw import Draw

    weights = llama_weights(Draw(3), 12, 3, 1, 10)
    block = llama.LlamaBlock(12, 3, 1, 10, 0.2, 30.0).double()
    block.load_state_dict(weights)
    x = normal(2, 5, 12)
    torch.testing.assert_close(block(x), slow_block(weights, x, 3, 1, 0.2, 30.0), atol=1e-6, rtol=1e-5)


def test_grouped_attention_without_copies_equals_that_with():
    q, k, v = normal(2, 6, 5, 4), normal(2, 2, 5, 4, seed=1), normal(2, 2, 5, 4, seed=2)
    right = grouped_query_attention(q, k, v, causal_mask(5))
    torch.testing.assert_close(llama.attend_grouped(q, k, v), right)
    torch.testing.assert_close(llama.attend_grouped(q[:, :, -1:], k, v), right[:, :, -1:])
    torch.testing.assert_close(llama.attend_grouped(q[:, :, -2:], k, v), right[:, :, -2:])


@pytest.mark.parametrize("tied", [True, False])
def test_whole_llama_equals_transformers_with_and_without_a_cache(tied):
    import transformers

    torch.manual_seed(0)
    theirs = transformers.LlamaForCausalLM(llama_config(tie_word_embeddings=tied)).eval()
    ours = llama.llama_from(theirs)
    tokens = torch.randint(0, 60, (2, 9), generator=seeded(1))
    with torch.no_grad():
        right = theirs(tokens).logits
        torch.testing.assert_close(ours(tokens), right, atol=1e-5, rtol=1e-4)
        first, cache = ours.step(tokens[:, :4])
        second, cache = ours.step(tokens[:, 4:7], cache)
        third, cache = ours.step(tokens[:, 7:], cache)
    torch.testing.assert_close(torch.cat([first, second, third], 1), right, atol=1e-5, rtol=1e-4)
    assert cache[0][0].shape == (2, 2, 9, 4) and len(cache) == 2


def test_a_step_leaves_its_cache_alone_and_stops_at_the_end_of_the_tables():
    ours = llama.Llama(20, 8, 2, 1, 12, 1, max_len=5).eval()
    _, cache = ours.step(torch.arange(4)[None])
    before = [t.clone() for pair in cache for t in pair]
    ours.step(torch.tensor([[1]]), cache)
    assert all(torch.equal(a, b) for a, b in zip(before, [t for pair in cache for t in pair], strict=True))
    with pytest.raises(ValueError, match="6 positions"):
        ours.step(torch.tensor([[1, 2]]), cache)


def test_what_this_llama_cannot_run_is_refused():
    import transformers

    for changed in (
        {"attention_bias": True},
        {"head_dim": 8},
        {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}},
    ):
        with pytest.raises(ValueError):
            llama.llama_from(transformers.LlamaForCausalLM(llama_config(**changed)))
    with pytest.raises(ValueError, match="5"):
        llama.LlamaBlock(24, 6, 5, 40)


def test_bert_equals_transformers_also_with_padding():
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=50,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=40,
        max_position_embeddings=20,
        attn_implementation="eager",
    )
    theirs = transformers.BertModel(config).eval().double()
    for p in theirs.parameters():
        p.data += 0.3 * torch.randn_like(p)
    ids = torch.randint(0, 50, (3, 8), generator=seeded(2))
    kinds = torch.randint(0, 2, (3, 8), generator=seeded(3))
    keep = torch.arange(8) < torch.tensor([[8], [5], [1]])
    inputs = {"input_ids": ids, "token_type_ids": kinds, "attention_mask": keep.long()}
    with torch.no_grad():
        right = theirs(**inputs).last_hidden_state
    torch.testing.assert_close(bert.bert_hidden_states(theirs, inputs)[keep], right[keep])


def test_bert_layer_equals_a_slow_one_with_empty_rows():
    from tformer_course.checks.core.draw import Draw

    weights = bert_layer.bert_weights(Draw(3), 6, 10)
    layer = bert.BertLayer(6, 3, 10).double()
    layer.load_state_dict(weights)
    x, mask = normal(2, 5, 6), torch.rand(2, 3, 5, 5, generator=seeded(1)) > 0.7
    torch.testing.assert_close(layer(x, mask), bert_layer.slow_layer(weights, x, 3, mask))


# --- decoding ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("top_k", "top_p"), [(None, None), (3, None), (99, None), (None, 0.6), (3, 0.78), (1, 0.5)])
def test_sampling_has_the_right_frequencies(temperature, top_k, top_p):
    from tformer_course.checks.families.sampling import frequencies, slow_probabilities

    logits = normal(7, seed=4)
    right = slow_probabilities(logits, temperature, top_k, top_p)
    found = frequencies(decoding.sample_next, logits, temperature, top_k, top_p, seed=1)
    assert (found - right).abs().max() < 0.02 and bool((found[right == 0] == 0).all())


def test_sampling_equals_transformers_processors():
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    from tformer_course.checks.families.sampling import slow_probabilities

    logits = normal(40, 30, seed=1)
    scores = TopPLogitsWarper(0.7)(None, TopKLogitsWarper(9)(None, TemperatureLogitsWarper(1.7)(None, logits)))
    right = torch.stack([slow_probabilities(row, 1.7, 9, 0.7) for row in logits])
    torch.testing.assert_close(scores.softmax(-1), right)


def test_sampling_refuses_what_makes_no_sense():
    logits = torch.zeros(1, 3)
    for wrong in ({"temperature": -1}, {"top_k": 0}, {"top_p": 1.5}):
        with pytest.raises(ValueError):
            decoding.sample_next(logits, **wrong)
    assert decoding.sample_next(torch.tensor([[0.0, 2.0]]), top_p=0.0).tolist() == [1]


def test_cached_text_equals_that_of_transformers():
    import transformers

    torch.manual_seed(0)
    theirs = transformers.LlamaForCausalLM(llama_config()).eval()
    ours = llama.llama_from(theirs)
    prompt = torch.randint(3, 60, (2, 5), generator=seeded(1))
    right = theirs.generate(prompt, max_new_tokens=12, do_sample=False, eos_token_id=None, pad_token_id=0)
    with torch.no_grad():
        assert torch.equal(decoding.generate_cached(ours.step, prompt, 12), right)
        assert torch.equal(decoding.generate_uncached(ours, prompt, 12), right)
        assert torch.equal(decoding.generate_cached(ours.step, prompt, 0), prompt)


def test_cache_size_is_that_of_the_tensors():
    ours = llama.Llama(20, 24, 6, 2, 12, 3, max_len=9)
    with torch.no_grad():
        _, cache = ours.step(torch.zeros(1, 9, dtype=torch.long))
    measured = sum(t.numel() * t.element_size() for pair in cache for t in pair)
    assert measured == 9 * decoding.cache_bytes_per_token(3, 2, 4, bytes_per_number=4)


# --- counting and pictures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5", "llama"])
@pytest.mark.parametrize("seed", [0, 1])
def test_counts_equal_transformers(family, seed):
    from tformer_course.checks.core.draw import Draw
    from tformer_course.models import count_parameters

    more = {
        "gpt2": {"n_inner": 50},
        "llama": {"tie_word_embeddings": True, "attention_bias": True, "mlp_bias": True, "head_dim": 6},
        "t5": {"num_decoder_layers": None},
    }
    for fixed in ({}, more.get(family, {})):
        fields = counting.config_fields(Draw(seed), family, **fixed)
        assert count_parameters(counting.make_config(family, fields)) == counting.counted(family, fields)


def test_another_family_is_not_counted():
    import transformers

    from tformer_course.models import count_parameters

    with pytest.raises(ValueError, match="vit"):
        count_parameters(transformers.ViTConfig())


@pytest.mark.parametrize(
    ("channels", "height", "width", "patch"), [(3, 4, 6, 2), (1, 9, 3, 3), (2, 5, 5, 5), (3, 4, 4, 1)]
)
def test_patches_equal_a_slow_loop(channels, height, width, patch):
    images = normal(2, channels, height, width)
    right = torch.stack(
        [
            torch.stack(
                [
                    image[:, i : i + patch, j : j + patch].permute(1, 2, 0).flatten()
                    for i in range(0, height, patch)
                    for j in range(0, width, patch)
                ]
            )
            for image in images
        ]
    )
    assert torch.equal(pictures.patchify(images, patch), right)


def test_patches_must_fit():
    with pytest.raises(ValueError, match="5 × 4"):
        pictures.patchify(torch.zeros(1, 1, 5, 4), 2)


def test_contrastive_loss_equals_a_slow_loop():
    images, texts, scale = normal(4, 5), normal(4, 5, seed=1), 3.0
    cosine = F.cosine_similarity(images[:, None], texts[None], dim=-1) * scale
    right = -sum(
        math.log(math.exp(c[i][i]) / sum(math.exp(x) for x in c[i]))
        for c in (cosine.tolist(), cosine.T.tolist())
        for i in range(4)
    )
    assert math.isclose(pictures.clip_loss(images, texts, scale).item(), right / 8, rel_tol=1e-9)
    assert pictures.clip_loss(images[:1], texts[:1], scale).item() == 0
