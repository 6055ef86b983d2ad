"""Right: two shares."""


def win_rate(a, b):
    wins, ties = (a > b).sum().item(), (a == b).sum().item()
    return (wins + ties / 2) / a.numel()
