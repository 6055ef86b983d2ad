"""A prompt whose last token is the end token gets no completion.

mistake: prompt_that_ends_with_it
fails: certain paths
"""

@torch.no_grad()
def sample_group(model, prompts, group_size, max_new_tokens, temperature, eos_id, generator=None):
    P, Tp = prompts.shape
    tokens = prompts.repeat_interleave(group_size, 0)
    done = tokens[:, -1] == eos_id
    masks, logs = [], []
    for _ in range(max_new_tokens):
        log_probs = (model(tokens)[:, -1] / temperature).log_softmax(-1)
        draw = torch.multinomial(log_probs.exp(), 1, generator=generator)
        lp = log_probs.gather(1, draw).squeeze(1).masked_fill(done, 0.0)
        draw = draw.squeeze(1).masked_fill(done, eos_id)
        masks.append(~done)
        logs.append(lp)
        tokens = torch.cat([tokens, draw[:, None].to(tokens.dtype)], 1)
        done = done | (draw == eos_id)
    shape = (P, group_size, max_new_tokens)
    if not masks:
        return tokens.view(P, group_size, -1), torch.zeros(shape, dtype=torch.bool), torch.zeros(shape)
    return tokens.view(P, group_size, -1), torch.stack(masks, 1).view(shape), torch.stack(logs, 1).view(shape)
