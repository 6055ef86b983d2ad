"""No hook at all: the flag is trusted.

mistake: by_flag
fails: BERT
"""

def capture_attention(model, inputs):
    attentions = model(**inputs, output_attentions=True).attentions
    return [weights.detach() for weights in attentions or ()]
