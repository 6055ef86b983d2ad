"""Right: builds the model on the meta device and counts. Every exact way counts, though formulas teach more."""


def count_parameters(config):
    import transformers

    names = {
        "bert": "BertModel",
        "gpt2": "GPT2LMHeadModel",
        "t5": "T5ForConditionalGeneration",
        "llama": "LlamaForCausalLM",
    }
    with torch.device("meta"):
        model = getattr(transformers, names[config.model_type])(config)
    model.tie_weights()
    return sum(p.numel() for p in model.parameters())
