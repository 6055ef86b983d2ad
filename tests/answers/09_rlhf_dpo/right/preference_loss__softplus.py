"""Right: softplus of the negative difference."""


def preference_loss(chosen, rejected):
    return F.softplus(rejected - chosen).mean()
