"""Position as binary digits with a lead that is enough before the division by √10, not after it.

mistake: lead_too_small
fails: six positions
"""


def previous_token_scores(n):
    position = torch.arange(n).unsqueeze(1)
    code = (position >> torch.arange(10) & 1).float() * 2 - 1
    return torch.roll(code, 1, dims=0) * 4.0, code
