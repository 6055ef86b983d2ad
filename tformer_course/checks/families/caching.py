"""generate_cached."""

from __future__ import annotations

import torch
from torch import Tensor

from ...models.families import decoding as reference
from ..core.exercise import Case, Exercise, Mistake


class Recorder:
    """A step function with a memory that must be handled right, and a diary of its calls.

    The state is a running mixture of all tokens read, so that each later token depends on every earlier one, on their
    order, and on none being read twice. The cache is a fresh object each time.

    Args:
        embed: `(V, C)`.
        mix: `(C, C)`.
    """

    def __init__(self, embed: Tensor, mix: Tensor) -> None:
        self.embed, self.mix = embed, mix
        self.calls: list[list] = []
        self.last: dict | None = None

    def __call__(self, tokens, cache):
        own = "none" if cache is None else "last" if cache is self.last else "another"
        self.calls.append([list(tokens.shape), own])
        state = torch.zeros(len(tokens), self.mix.shape[0], dtype=self.mix.dtype) if cache is None else cache["state"]
        logits = []
        for column in tokens.T:
            state = torch.tanh(state @ self.mix + self.embed[column])
            logits.append(state @ self.embed.T)
        self.last = {"state": state}
        return torch.stack(logits, dim=1), self.last


def weights(draw, vocab: int = 13, width: int = 8):
    """Weights of a Recorder whose text does not run into a circle at once."""
    return [draw.normal(vocab, width), draw.normal(width, width, scale=0.6)]


def told(answer, embed, mix, prompt, count):
    """The text, and shapes and caches of the calls that it took; a last call that nobody needs is forgiven."""
    step = Recorder(embed, mix)
    tokens = answer(step, prompt, count)
    return [tokens, step.calls[: max(count, 0)]]


def slow_text(embed: Tensor, mix: Tensor, prompt: Tensor, count: int) -> Tensor:
    """The same text by reading everything again for every token."""
    tokens = prompt
    for _ in range(count):
        state = torch.zeros(len(tokens), mix.shape[0], dtype=mix.dtype)
        for column in tokens.T:
            state = torch.tanh(state @ mix + embed[column])
        tokens = torch.cat([tokens, (state @ embed.T).argmax(-1, keepdim=True)], dim=1)
    return tokens


def right_calls(rows: int, length: int, count: int) -> list:
    """Prompt without a cache first, then one token per call with the cache of the call before."""
    calls = [[[rows, length], "none"]] + [[[rows, 1], "last"]] * max(count - 1, 0)
    return calls[: max(count, 0)]


def _right(embed, mix, prompt, count):
    return [slow_text(embed, mix, prompt, count), right_calls(*prompt.shape, count)]


def _inputs(rows, length, count):
    return lambda draw: [*weights(draw), draw.integers(0, 12, rows, length), count]


def wrong(first="all", later="one", cache_as="last", pick="last", returns="all", stop=0, zero="right"):
    """A generate_cached; each argument says what is wrong in one respect."""

    def generate_cached(step, prompt, max_new_tokens):
        tokens, cache, kept = prompt, None, None
        if zero == "at_least_one":
            max_new_tokens = max(1, max_new_tokens)
        unread = {"all": prompt, "without_first": prompt[:, 1:], "last": prompt[:, -1:]}.get(first)
        if first == "one_by_one":
            unread = prompt[:, :1]
            for i in range(prompt.shape[1] - 1):
                _, cache = step(prompt[:, i : i + 1], cache)
            unread = prompt[:, -1:]
        for _ in range(max_new_tokens + stop):
            logits, cache = step(unread, None if cache_as == "never" else cache)
            kept = kept or cache
            if cache_as == "first":
                cache = kept
            chosen = logits[:, 0] if pick == "first" else logits[:, -1]
            best = chosen.argmin(-1) if pick == "least" else chosen.argmax(-1)
            if pick == "one_row":
                best = best[:1].expand(len(prompt))
            tokens = torch.cat([tokens, best[:, None]], dim=1)
            unread = {"one": tokens[:, -1:], "all": tokens, "two": tokens[:, -2:], "prompt": prompt[:, -1:]}[later]
        return tokens[:, prompt.shape[1] :] if returns == "new" else tokens

    return generate_cached


GENERATE_CACHED = Exercise(
    name="generate_cached",
    points=1.5,
    reference=reference.generate_cached,
    forbid=(),
    helpers=(reference.generate_uncached,),
    cases=(
        Case("text and calls", _inputs(3, 5, 8), _right, call=told),
        Case("a prompt of one token", _inputs(2, 1, 6), _right, call=told),
        Case("one new token", _inputs(2, 4, 1), _right, call=told),
        Case("no new token", _inputs(2, 4, 0), _right, call=told),
    ),
    mistakes=(
        Mistake(
            "whole_sequence_with_a_cache",
            "you give the whole text to step although the cache holds it: every token is read again. What is new since "
            "the last call?",
            wrong(later="all"),
        ),
        Mistake(
            "no_cache",
            "step never gets its cache back, so it has read one token. What did the last call return?",
            wrong(cache_as="never"),
        ),
        Mistake(
            "no_cache_whole_sequence",
            "you read everything again for each token, without a cache. What did the last call return?",
            wrong(cache_as="never", later="all"),
        ),
        Mistake(
            "first_cache_kept",
            "step gets the cache of its first call again and again. Which cache knows the newest token?",
            wrong(cache_as="first"),
        ),
        Mistake(
            "first_token_lost",
            "the first token of the prompt is never read. What is the first call given?",
            wrong(first="without_first"),
        ),
        Mistake(
            "only_the_last_token_of_the_prompt",
            "of the prompt only the last token is read. What is the first call given?",
            wrong(first="last"),
        ),
        Mistake(
            "prompt_one_by_one",
            "you read the prompt token by token. The text is right, but what can a single call do with a whole prompt?",
            wrong(first="one_by_one"),
        ),
        Mistake(
            "two_tokens_per_call", "each call gets two tokens, so one is read twice. What is new?", wrong(later="two")
        ),
        Mistake(
            "prompt_again",
            "after the prompt you read its last token again and again. Which token is new?",
            wrong(later="prompt"),
        ),
        Mistake(
            "logits_of_the_first",
            "you choose by the logits of the first position. Which predict what is next?",
            wrong(pick="first"),
        ),
        Mistake("least_likely", "you take the least likely token. What does greedy mean?", wrong(pick="least")),
        Mistake(
            "one_row_for_all",
            "all rows get the token of the first. Along which axis is the best token chosen?",
            wrong(pick="one_row"),
        ),
        Mistake("only_the_new_tokens", "your result lacks the prompt. What shape is asked for?", wrong(returns="new")),
        Mistake(
            "at_least_one",
            "you write a token although none is wanted. What does max_new_tokens = 0 give?",
            wrong(zero="at_least_one"),
        ),
        Mistake("one_too_many", "you write one token too many. How often must step be called?", wrong(stop=1)),
        Mistake(
            "one_too_few", "you write one token too few. How many tokens does the first call give?", wrong(stop=-1)
        ),
    ),
)
