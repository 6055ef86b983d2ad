"""Right: steps up from the width without a remainder."""


def swiglu_hidden(d_model, multiple_of=1):
    width = (8 * d_model + 2) // 3
    return width + (-width) % multiple_of
