"""Only the length is open.

mistake: fixed_batch
fails: other batches and lengths
"""


def export_block(block, path):
    c = next(block.parameters()).shape[-1]
    x = torch.randn(2, 7, c)
    batch, length = torch.export.Dim.DYNAMIC, torch.export.Dim.DYNAMIC
    torch.onnx.export(block, (x,), path, dynamic_shapes=({1: length},), dynamo=True)
