"""Right: no clip and no reference: on-policy both do little."""


def train_grpo(
    model: nn.Module,
    reference: Callable[[Tensor], Tensor],
    make_batch: Callable[[torch.Generator | None], GrpoBatch],
    steps: int,
    group_size: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> list[float]:

    optimizer = torch.optim.Adam(model.parameters(), lr)
    history = []
    for _ in range(steps):
        batch = make_batch(generator)
        tokens, mask, _ = course.sample_group(
            model, batch.prompts, group_size, batch.max_new_tokens, 1.0, batch.eos_id, generator
        )
        rewards = batch.reward(tokens[:, :, -batch.max_new_tokens :])
        a = rewards - rewards.mean(1, keepdim=True)
        log_p = completion_log_probs(model, tokens.flatten(0, 1), batch.max_new_tokens)
        loss = -(log_p * mask.flatten(0, 1) * a.flatten().unsqueeze(1)).sum() / mask.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(rewards.mean().item())
    return history
