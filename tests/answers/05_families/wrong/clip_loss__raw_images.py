"""Pictures not normalised.

mistake: only_texts_normalised
fails: six pairs
"""


def clip_loss(image_features, text_features, logit_scale):
    images = image_features
    texts = F.normalize(text_features, dim=-1)
    logits = logit_scale * (images @ texts.T)
    right = torch.arange(len(logits))
    return (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
