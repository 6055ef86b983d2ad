"""Right: the example is given by name."""


def export_block(block, path):
    example = torch.randn(2, 3, next(block.parameters()).shape[-1])
    sizes = {"x": {0: "batch", 1: "length"}}
    torch.onnx.export(block, kwargs={"x": example}, f=path, dynamo=True, dynamic_shapes=sizes)
