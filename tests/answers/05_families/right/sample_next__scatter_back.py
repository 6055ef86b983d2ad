"""Right: sorts, cuts, scatters the logits back, multinomial over tokens."""


def sample_next(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if not temperature:
        return logits.max(dim=-1).indices
    logits = logits / temperature
    if top_k is not None:
        keep = torch.topk(logits, min(top_k, logits.size(-1)), dim=-1).indices
        kept = torch.full_like(logits, float("-inf"))
        logits = kept.scatter(-1, keep, logits.gather(-1, keep))
    if top_p is not None:
        ordered, index = torch.sort(logits, descending=True, dim=-1)
        total = torch.softmax(ordered, dim=-1).cumsum(dim=-1)
        remove = total >= top_p
        remove[:, 1:] = remove[:, :-1].clone()  # shifted right: the token that crosses stays
        remove[:, 0] = False
        ordered = ordered.masked_fill(remove, float("-inf"))
        logits = torch.empty_like(logits).scatter(-1, index, ordered)
    return torch.multinomial(torch.softmax(logits, dim=-1), num_samples=1, generator=generator)[:, 0]
