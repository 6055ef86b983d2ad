"""Right: everything is cut after the first end at last; log-probs from one forward pass."""


def sample_group(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    group_size: int,
    max_new_tokens: int,
    temperature: float,
    eos_id: int,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:

    count, start = prompts.shape
    tokens = prompts[:, None].expand(-1, group_size, -1).reshape(count * group_size, start)
    with torch.no_grad():
        for _ in range(max_new_tokens):
            p = (model(tokens)[:, -1] / temperature).softmax(-1)
            tokens = torch.cat([tokens, torch.multinomial(p, 1, generator=generator)], 1)
        written = tokens[:, start:]
        ends = (written == eos_id).long()
        mask = ends.cumsum(1) - ends == 0
        tokens = torch.cat([tokens[:, :start], written.masked_fill(~mask, eos_id)], 1)
        log_p = (model(tokens)[:, start - 1 : -1] / temperature).log_softmax(-1)
        log_p = log_p.gather(-1, tokens[:, start:, None])[..., 0].masked_fill(~mask, 0.0)
    shape = (count, group_size, max_new_tokens)
    return tokens.reshape(count, group_size, -1), mask.reshape(shape), log_p.reshape(shape)
