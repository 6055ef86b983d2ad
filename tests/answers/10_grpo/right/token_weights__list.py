"""Right: number by number; empty sequences do not count in N under "sequence"."""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:

    dtype = lengths.dtype if lengths.is_floating_point() else torch.get_default_dtype()
    sizes = lengths.tolist()
    full = [s for s in sizes if s > 0]
    weights = {
        "sequence": [1 / (len(full) * s) if s else 0.0 for s in sizes],
        "token": [1 / sum(full) if s else 0.0 for s in sizes],
        "constant": [1 / (len(sizes) * max_len) if s else 0.0 for s in sizes],
    }
    return torch.tensor(weights[aggregate], dtype=dtype)
