"""The stories of chapter 08: their probability is counted, their tokens come back, their questions have labels."""

import math
import random

import pytest
import torch

from tformer_course.models.pretrain_finetune import sft_labels
from tformer_course.training import pretrain_finetune as world
from tformer_course.training.pretrain_finetune import stories


@pytest.fixture(scope="module")
def tokenizer():
    return world.train_tokenizer(world.story_texts(600, seed=1))


def test_equal_seeds_give_equal_stories():
    assert world.story_texts(5, 3) == world.story_texts(5, 3) != world.story_texts(5, 4)


def test_the_counted_nats_are_those_of_the_choices():
    weights = dict(zip(world.NAMES, stories.WEIGHTS, strict=True))
    total = sum(weights.values())
    for seed in range(20):
        text, nats = world.story(random.Random(seed))
        names = [word.strip(".") for word in text.split() if word.strip(".") in weights]
        first = next(n for n in names)
        other = next(n for n in names if n != first)
        p = weights[first] / total * weights[other] / (total - weights[first]) / 8 / 16 / 2**4
        assert nats == pytest.approx(-math.log(p))


def test_people_have_one_home_and_one_animal():
    for text in world.story_texts(300, seed=5):
        for name in world.NAMES:
            if f"{name} is a" in text or f"called {name}." in text:
                assert world.HOME_OF[name] in text and stories.ANIMAL_OF[name] in text


def test_texts_come_back_from_their_tokens(tokenizer):
    texts = [*world.story_texts(100, seed=9), *("".join(world.question(n, "home")) for n in world.NAMES)]
    for text in texts:
        assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text
    assert all(len(tokenizer.encode(f" {colour}").ids) == 1 for colour in world.COLOURS)


def test_rows_begin_and_end_with_the_end_token(tokenizer):
    rows = world.encode_stories(tokenizer, world.story_texts(30, seed=2))
    end = tokenizer.token_to_id(world.END)
    lengths = (rows >= 0).sum(dim=1)
    assert (rows[:, 0] == end).all() and (rows.gather(1, lengths[:, None] - 1) == end).all()
    assert rows.shape[1] <= stories.LENGTH


def test_a_conversation_counts_its_answer_and_its_end(tokenizer):
    ids, prompts, lengths = world.conversations(tokenizer, ["rita"])
    labels = sft_labels(ids, prompts, lengths)
    for row, kind in zip(labels, ("home", "animal"), strict=True):
        kept = row[row != -100].tolist()
        answer = world.question("rita", kind)[1]
        assert tokenizer.decode(kept, skip_special_tokens=False) == answer.replace(" ", " ") + world.END or (
            tokenizer.decode(kept[:-1]).strip() == answer.strip() and kept[-1] == tokenizer.token_to_id(world.END)
        )


def test_half_of_the_names_is_never_taught():
    assert not set(world.TAUGHT) & set(world.HELD_OUT) and len(world.TAUGHT) == len(world.HELD_OUT) == 24


def test_a_causal_model_is_scored_on_real_tokens_only(tokenizer):
    model = world.small_model("causal", 0, d_model=8, num_heads=2, num_layers=1)
    special = world.special_ids(tokenizer)
    rows = world.encode_stories(tokenizer, world.story_texts(4, seed=3))
    wider = torch.cat([rows, torch.full((4, 5), -100)], dim=1)
    with torch.no_grad():
        torch.testing.assert_close(world.story_loss(model, rows, special), world.story_loss(model, wider, special))
