"""Normalised over the batch.

mistake: normalised_over_the_batch
fails: six pairs
"""


def clip_loss(image_features, text_features, logit_scale):
    images = F.normalize(image_features, dim=0)
    texts = F.normalize(text_features, dim=0)
    logits = logit_scale * (images @ texts.T)
    right = torch.arange(len(logits))
    return (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
