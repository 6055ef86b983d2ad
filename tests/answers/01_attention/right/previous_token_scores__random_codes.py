"""Right: random signs, which are nearly orthogonal in 1024 dimensions; a list comes back."""


def previous_token_scores(n):
    generator = torch.Generator().manual_seed(0)
    codes = torch.randint(0, 2, (n + 1, 1024), generator=generator).mul(2).sub(1).to(torch.get_default_dtype())
    q, k = 3.0 * codes[:n], codes[1:]
    return [q, k]
