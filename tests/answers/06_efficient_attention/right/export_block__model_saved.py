"""Right: the program is optimised, and its model saved."""


def export_block(block, path):
    import onnx

    example = torch.randn(2, 3, next(block.parameters()).shape[-1])
    program = torch.onnx.export(block, (example,), dynamo=True, dynamic_shapes=({0: "batch", 1: "length"},))
    program.optimize()
    onnx.save(program.model_proto, path)
