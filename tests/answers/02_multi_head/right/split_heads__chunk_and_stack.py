"""Takes the slices one by one and stacks them, without any transpose."""

def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"num_heads={num_heads} does not divide the width {x.shape[-1]}")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
