"""Right: the older argument dynamic_axes."""


def export_block(block, path):
    x = torch.randn(2, 8, next(iter(block.parameters())).shape[-1])
    axes = {"x": {0: "batch", 1: "length"}, "y": {0: "batch", 1: "length"}}
    torch.onnx.export(block, (x,), str(path), input_names=["x"], output_names=["y"], dynamic_axes=axes, dynamo=False)
