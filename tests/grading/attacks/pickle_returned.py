"""An answer that runs code where it is unpickled.

cell: late
"""

class Boom:
    def __reduce__(self):
        import os
        return os.system, ("touch /tmp/tformer-was-here",)

mix = count_ones = noise = lambda *a: Boom()
