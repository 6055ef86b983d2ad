"""A judgement that never ends.

cell: noise
answers: right
earns: 5
slow: yes
"""

def noise(n, seed):
    while True: pass
