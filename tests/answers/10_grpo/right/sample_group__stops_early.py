"""Right: stops when all have ended; the rest is filled from the start."""


def sample_group(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    group_size: int,
    max_new_tokens: int,
    temperature: float,
    eos_id: int,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    rows = prompts.unsqueeze(1).repeat(1, group_size, 1).flatten(0, 1)
    written = torch.full((len(rows), max_new_tokens), eos_id)
    mask = torch.zeros(len(rows), max_new_tokens, dtype=torch.bool)
    log_probs = torch.zeros(len(rows), max_new_tokens)
    done = torch.zeros(len(rows), dtype=torch.bool)
    with torch.no_grad():
        for t in range(max_new_tokens):
            if done.all():
                break
            log_p = torch.log_softmax(model(torch.cat([rows, written[:, :t]], 1))[:, -1] / temperature, -1)
            new = torch.multinomial(log_p.exp(), 1, generator=generator)
            mask[:, t] = ~done
            written[~done, t] = new[~done, 0]
            log_probs[~done, t] = log_p.gather(1, new)[~done, 0].float()
            done = done | (written[:, t] == eos_id)
    shape = (len(prompts), group_size, -1)
    return torch.cat([rows, written], 1).view(shape), mask.view(shape), log_probs.view(shape)
