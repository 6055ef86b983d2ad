"""Stops when all have ended, and leaves the rest of the budget out.

mistake: unnamed
fails: all end at once
"""


def sample_group(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    group_size: int,
    max_new_tokens: int,
    temperature: float,
    eos_id: int,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    rows = prompts.repeat_interleave(group_size, 0)
    running, masks, found = torch.ones(len(rows), dtype=torch.bool), [], []
    with torch.no_grad():
        for _ in range(max_new_tokens):
            if not running.any():
                break
            log_p = (model(rows)[:, -1] / temperature).log_softmax(-1)
            new = torch.where(running, torch.multinomial(log_p.exp(), 1, generator=generator)[:, 0], eos_id)
            masks.append(running)
            found.append(log_p.gather(1, new[:, None])[:, 0] * running)
            rows = torch.cat([rows, new[:, None]], 1)
            running = running & (new != eos_id)
    shape = (len(prompts), group_size, -1)
    return rows.view(shape), torch.stack(masks, 1).view(shape), torch.stack(found, 1).view(shape)
