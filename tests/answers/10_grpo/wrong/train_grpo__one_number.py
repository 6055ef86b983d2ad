"""The last mean reward in place of the list.

mistake: one_number
fails: thirty points
"""


def train_grpo(
    model: nn.Module,
    reference: Callable[[Tensor], Tensor],
    make_batch: Callable[[torch.Generator | None], GrpoBatch],
    steps: int,
    group_size: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> list[float]:
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.0)
    history = []
    for _ in range(steps):
        prompts, reward, budget, eos_id = make_batch(generator)
        tokens, mask, log_old = course.sample_group(model, prompts, group_size, budget, 1.0, eos_id, generator)
        rewards = reward(tokens[..., -budget:])
        history.append(float(rewards.mean()))
        advantages = course.group_advantages(rewards).flatten()
        rows, mask, log_old = tokens.flatten(0, 1), mask.flatten(0, 1), log_old.flatten(0, 1)
        with torch.no_grad():
            log_ref = completion_log_probs(reference, rows, budget)
        log_p = completion_log_probs(model, rows, budget)
        loss = course.grpo_loss(log_p, log_old, log_ref, advantages, mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return history[-1]
