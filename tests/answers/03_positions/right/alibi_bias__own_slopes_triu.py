"""The name alibi_slopes as the notebook has it, the mask by triu.
"""

def alibi_bias(num_heads: int, n: int) -> Tensor:
    i, j = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
    future = torch.full((n, n), -math.inf).triu(1)
    return torch.einsum("h,ij->hij", alibi_slopes(num_heads), (j - i).float().tril()) + future
