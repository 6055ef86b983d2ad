"""The example has the width of another block.

mistake: unnamed
fails: with other heads
"""


def export_block(block, path):
    torch.onnx.export(block, (torch.randn(2, 3, 64),), path, dynamo=True, dynamic_shapes=({0: "b", 1: "l"},))
