"""Right: F.cosine_similarity by broadcasting, logsumexp."""


def clip_loss(image_features, text_features, logit_scale):
    cosine = F.cosine_similarity(image_features[:, None], text_features[None], dim=-1)
    logits = cosine * logit_scale
    right = torch.diag(logits)
    loss = (logits.logsumexp(0) - right) + (logits.logsumexp(1) - right)
    return 0.5 * loss.mean()
