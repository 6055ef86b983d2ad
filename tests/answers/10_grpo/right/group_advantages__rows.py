"""Right: row by row."""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:

    rows = []
    for row in rewards:
        centred = row - row.mean()
        rows.append(centred / (row.std(unbiased=False) + eps) if normalize_std else centred)
    return torch.stack(rows)
