"""An expression that can split digits in many ways, and tries them all where no tag closes.

mistake: unnamed
fails: a hundred thousand characters
"""

def rule_reward(completion, answer):
    m = re.fullmatch(r"(?:(?!</?answer>).)*<answer>((?:\s*(?:(?!</?answer>).)*)*)</answer>(?:(?!</?answer>).)*", completion, re.S)
    if m is None: return 0.0
    t = m.group(1).strip()
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", t, re.A): return 0.1
    return 1.0 if float(t) == float(answer) else 0.1
