"""Right: one prompt after another."""


def sample_group(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    group_size: int,
    max_new_tokens: int,
    temperature: float,
    eos_id: int,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:

    parts = []
    with torch.no_grad():
        for prompt in prompts:
            rows = prompt.expand(group_size, -1)
            done = torch.zeros(group_size, dtype=torch.bool)
            masks, scores = [], []
            for _ in range(max_new_tokens):
                p = torch.softmax(model(rows)[:, -1] / temperature, dim=-1)
                new = torch.multinomial(p, 1, generator=generator)[:, 0]
                new[done] = eos_id
                log_p = torch.log(p[torch.arange(group_size), new])
                log_p[done] = 0.0
                masks.append(~done)
                scores.append(log_p)
                rows = torch.cat([rows, new[:, None]], dim=1)
                done = done | (new == eos_id)
            parts.append((rows, torch.stack(masks, 1), torch.stack(scores, 1)))
    return tuple(torch.stack(x) for x in zip(*parts, strict=True))
