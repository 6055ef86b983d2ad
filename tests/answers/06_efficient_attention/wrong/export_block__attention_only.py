"""Half of the block.

mistake: attention_only
fails: other batches and lengths
"""


def export_block(block, path):
    c = next(block.parameters()).shape[-1]
    x = torch.randn(2, 7, c)
    batch, length = torch.export.Dim.DYNAMIC, torch.export.Dim.DYNAMIC
    class Half(nn.Module):
        def __init__(self):
            super().__init__()
            self.block = block

        def forward(self, x):
            return x + self.block.attn(self.block.norm1(x))

    torch.onnx.export(Half(), (x,), path, dynamic_shapes=({0: batch, 1: length},), dynamo=True)
