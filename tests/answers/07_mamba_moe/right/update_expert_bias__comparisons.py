"""Right: two comparisons in place of a sign."""


def update_expert_bias(bias, load, rate):
    mean = load.double().mean()
    up, down = (load < mean).to(bias.dtype), (load > mean).to(bias.dtype)
    return bias + rate * (up - down)
