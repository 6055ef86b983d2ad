"""The difference alone.

mistake: difference_only
fails: other pairs
"""


def preference_loss(chosen, rejected):
    return (rejected - chosen).mean()
