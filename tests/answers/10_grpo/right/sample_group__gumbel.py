"""Right: draws by Gumbel noise, exact as well."""


def sample_group(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    group_size: int,
    max_new_tokens: int,
    temperature: float,
    eos_id: int,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:

    tokens = torch.repeat_interleave(prompts, group_size, 0)
    alive = tokens.new_ones(len(tokens)).bool()
    masks, found = [], []
    for _ in range(max_new_tokens):
        with torch.no_grad():
            log_p = torch.log_softmax(model(tokens)[:, -1, :] / temperature, -1)
            u = torch.rand(log_p.shape, generator=generator, dtype=torch.float64).clamp(1e-300, 1 - 1e-16)
            new = (log_p - (-u.log()).log()).argmax(-1)
            new = new * alive + eos_id * ~alive
            masks.append(alive)
            found.append(torch.where(alive, log_p[torch.arange(len(new)), new], torch.zeros_like(log_p[:, 0])))
            tokens = torch.cat((tokens, new[:, None]), -1)
            alive = alive & new.ne(eos_id)
    view = lambda x: x.reshape(len(prompts), group_size, x.shape[-1])  # noqa: E731
    return view(tokens), view(torch.stack(masks, 1)), view(torch.stack(found, 1))
