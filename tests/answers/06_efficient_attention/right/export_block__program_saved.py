"""Right: the program is saved in a second step."""


def export_block(block, path):
    x = torch.randn(3, 5, block.norm1.weight.shape[0])
    sizes = {0: torch.export.Dim("batch", min=1, max=4096), 1: torch.export.Dim("length", min=1, max=65536)}
    program = torch.onnx.export(block, (x,), dynamo=True, dynamic_shapes=(sizes,))
    program.save(path)
