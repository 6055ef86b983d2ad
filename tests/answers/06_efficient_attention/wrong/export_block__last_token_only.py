"""The last position only.

mistake: last_token_only
fails: other batches and lengths
"""


def export_block(block, path):
    c = next(block.parameters()).shape[-1]
    x = torch.randn(2, 7, c)
    batch, length = torch.export.Dim.DYNAMIC, torch.export.Dim.DYNAMIC
    class Last(nn.Module):
        def __init__(self):
            super().__init__()
            self.block = block

        def forward(self, x):
            return self.block(x)[:, -1:]

    torch.onnx.export(Last(), (x,), path, dynamic_shapes=({0: batch, 1: length},), dynamo=True)
