"""No normalisation.

mistake: no_normalisation
fails: six pairs
"""


def clip_loss(image_features, text_features, logit_scale):
    images = image_features
    texts = text_features
    logits = logit_scale * (images @ texts.T)
    right = torch.arange(len(logits))
    return (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
