"""A cross-encoder that can be made in a test: random weights, a vocabulary of letters."""

from pathlib import Path
from typing import Any


def build_cross_encoder(folder: Path, *, labels: int = 1, activation: str = "Sigmoid", broken: bool = False) -> Path:
    """Saved the way a downloaded model is; `activation` is what its configuration says of its scores.

    A broken one gives no numbers.
    """
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(7)
    letters = [chr(code) for code in range(33, 127)] + list("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    bert = folder / "bert"
    tokens = {token: number for number, token in enumerate(vocabulary)}
    BertTokenizerFast(vocab=tokens, do_lower_case=False, model_max_length=128).save_pretrained(bert)
    sizes: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(
        vocab_size=len(vocabulary), intermediate_size=64, num_labels=labels, initializer_range=0.5, **sizes
    )
    network = BertForSequenceClassification(config)
    if broken:
        network.classifier.weight.data.fill_(float("nan"))
    network.save_pretrained(bert)
    model = CrossEncoder(str(bert), activation_fn=getattr(torch.nn, activation)())
    model.save_pretrained(str(folder / "model"))
    return folder / "model"
