"""The package's engine in place of the package's answer.

mistake: unnamed
fails: heads
"""


def sliding_window_attention(q, k, v, window):
    from tformer_course.models.efficient_attention import flash

    return flash._Tiled.apply(q, k, v, 64, 64, window)[0]
