"""repeat for repeat_interleave.

mistake: groups_mixed
fails: certain paths
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
    tokens = prompts.repeat(group_size, 1)  # (P · G, Tp)
    running = torch.ones(len(tokens), dtype=torch.bool)
    masks, found = [], []
    with torch.no_grad():
        for _ in range(max_new_tokens):
            log_p = (model(tokens)[:, -1] / temperature).log_softmax(dim=-1)
            drawn = torch.multinomial(log_p.exp(), 1, generator=generator).squeeze(-1)
            drawn = torch.where(running, drawn, eos_id)
            masks.append(running)
            found.append(log_p.gather(-1, drawn.unsqueeze(-1)).squeeze(-1) * running)
            tokens = torch.cat([tokens, drawn.unsqueeze(-1)], dim=1)
            running = running & (drawn != eos_id)
    shape = (len(prompts), group_size, -1)
    return tokens.view(shape), torch.stack(masks, dim=-1).view(shape), torch.stack(found, dim=-1).view(shape)
