"""Right: the file is checked and run after it was written."""


def export_block(block, path):
    import onnx
    import onnxruntime

    width = next(block.parameters()).shape[-1]
    sizes = ({0: "batch", 1: "length"},)
    torch.onnx.export(block, (torch.randn(2, 3, width),), path, dynamo=True, dynamic_shapes=sizes)
    onnx.checker.check_model(path)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    x = torch.randn(3, 5, width)
    (y,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    assert torch.allclose(torch.from_numpy(y), block(x), atol=1e-4)
