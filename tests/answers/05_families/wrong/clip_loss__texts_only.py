"""Texts find pictures only.

mistake: other_direction
fails: six pairs
"""


def clip_loss(image_features, text_features, logit_scale):
    images = F.normalize(image_features, dim=-1)
    texts = F.normalize(text_features, dim=-1)
    logits = logit_scale * (images @ texts.T)
    right = torch.arange(len(logits))
    return F.cross_entropy(logits.T, right)
