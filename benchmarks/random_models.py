"""Models with the shape of real ones and random weights: as slow as those, and nothing to download.

The vocabulary is smaller than that of the real models; looking up a row of a table costs the same. Word pieces are
learnt from the texts, so that their lengths in tokens are usual ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_VOCABULARY = 32_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`longest` in tokens, as the model's own configuration cuts texts."""

    layers: int
    hidden: int
    heads: int
    intermediate: int
    longest: int
    pooling: str


SHAPES = {  # from the models' configuration files; the names also tell the prefixes
    "multilingual-e5-small": Shape(layers=12, hidden=384, heads=12, intermediate=1536, longest=512, pooling="mean"),
    "bge-m3": Shape(layers=24, hidden=1024, heads=16, intermediate=4096, longest=8192, pooling="cls"),
}


def build_model(folder: Path, name: str, texts: Sequence[str]) -> Path:
    """The folder of a saved sentence-transformers model with the shape called `name`."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    shape = SHAPES[name]
    learnt = BertWordPieceTokenizer(lowercase=False)
    learnt.train_from_iterator(texts, vocab_size=_VOCABULARY, min_frequency=2, show_progress=False)
    weights = folder / "weights"
    BertTokenizerFast(vocab=learnt.get_vocab(), do_lower_case=False).save_pretrained(weights)
    config = BertConfig(
        vocab_size=learnt.get_vocab_size(),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.intermediate,
        max_position_embeddings=shape.longest + 2,
    )
    BertModel(config).save_pretrained(weights)
    words = Transformer(str(weights), max_seq_length=shape.longest)
    modules = [words, Pooling(shape.hidden, pooling_mode=shape.pooling)]
    SentenceTransformer(modules=modules).save(str(folder / name))
    return folder / name
