"""Texts not normalised.

mistake: only_images_normalised
fails: six pairs
"""


def clip_loss(image_features, text_features, logit_scale):
    images = F.normalize(image_features, dim=-1)
    texts = text_features
    logits = logit_scale * (images @ texts.T)
    right = torch.arange(len(logits))
    return (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
