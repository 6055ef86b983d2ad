"""The gain of ReLU is in it.

mistake: gain_of_relu
fails: a square layer
"""

import math
def xavier_std(fan_in, fan_out):
    return math.sqrt(2) * math.sqrt(2 / (fan_in + fan_out))
