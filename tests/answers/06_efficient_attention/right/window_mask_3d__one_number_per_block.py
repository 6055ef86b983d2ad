"""Right: a number for each block, from the token number."""


def window_mask_3d(shape, window):
    frames, height, width = shape
    number = torch.arange(frames * height * width)
    f, r, c = number // (height * width), number // width % height, number % width
    block = (f // window[0] * height + r // window[1]) * width + c // window[2]
    return block.unsqueeze(1) == block.unsqueeze(0)
