"""The package does the work.

mistake: unnamed
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

    return course.sample_group(model, prompts, group_size, max_new_tokens, temperature, eos_id, generator)
