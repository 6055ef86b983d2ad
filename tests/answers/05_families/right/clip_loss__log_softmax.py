"""Right: log_softmax along both axes."""


def clip_loss(image_features, text_features, logit_scale):
    a = image_features / image_features.norm(dim=1, keepdim=True)
    b = text_features / text_features.norm(dim=1, keepdim=True)
    logits = torch.einsum("ic,jc->ij", a, b) * logit_scale
    rows, columns = logits.log_softmax(1).diagonal(), logits.log_softmax(0).diagonal()
    return -(rows.mean() + columns.mean()) / 2
