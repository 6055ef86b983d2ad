"""Right: transformers builds the model without memory, and its tensors are counted."""


def moe_parameters(config):
    import transformers

    names = {"mixtral": "MixtralForCausalLM", "deepseek_v3": "DeepseekV3ForCausalLM"}
    with torch.device("meta"):
        model = getattr(transformers, names[config.model_type])(config)
        model.tie_weights()
    total = sum(p.numel() for p in model.parameters())
    idle = 0
    for name, p in model.named_parameters():
        if ".experts." in name:
            idle += p[0].numel() * (p.shape[0] - config.num_experts_per_tok)
    return total, total - idle
