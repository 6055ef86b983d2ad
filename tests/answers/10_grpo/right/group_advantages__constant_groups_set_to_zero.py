"""Right: constant groups are exactly 0."""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:

    mean, deviation = rewards.mean(-1, keepdim=True), rewards.std(-1, correction=0, keepdim=True)
    found = (rewards - mean) / (deviation + eps) if normalize_std else rewards - mean
    return torch.where((rewards == rewards[:, :1]).all(-1, keepdim=True), torch.zeros_like(found), found)
