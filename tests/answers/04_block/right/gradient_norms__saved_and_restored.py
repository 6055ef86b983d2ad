"""Right: backward on saved .grad, of every leaf in the graph, restored afterwards."""


def gradient_norms(blocks, loss):
    leaves, stack, seen = [], [loss.grad_fn], set()
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        stack.extend(next_node for next_node, _ in node.next_functions)
    before = [leaf.grad for leaf in leaves]
    for leaf in leaves:
        leaf.grad = None
    loss.backward(retain_graph=True)
    reached = {id(leaf): leaf.grad for leaf in leaves}
    for leaf, grad in zip(leaves, before, strict=True):
        leaf.grad = grad
    norms = []
    for block in blocks:
        squares = [reached[id(p)].pow(2).sum().item() for p in block.parameters() if reached.get(id(p)) is not None]
        norms.append(sum(squares) ** 0.5)
    return norms
