"""Models that nobody has to download."""

from pathlib import Path


def build_model(
    folder: Path,
    *,
    prompts: dict[str, str] | None = None,
    default_prompt_name: str | None = None,
    broken: bool = False,
    hidden_size: int = 32,
    layers: int = 2,
    name: str = "model",
) -> Path:
    """A sentence-transformers model with a vocabulary of letters and random weights; `broken`: none is a number.

    Made so that releases 4 and 5 of transformers read it: ONNX needs the former.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    torch.manual_seed(7)
    bert = folder / "bert"
    tokenizer = _letters()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(bert)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=hidden_size,
        num_hidden_layers=layers,
        num_attention_heads=hidden_size // 16,
        intermediate_size=2 * hidden_size,
    )
    weights = BertModel(config)
    if broken:
        torch.nn.init.constant_(weights.embeddings.word_embeddings.weight, float("nan"))
    weights.save_pretrained(bert)
    word = Transformer(str(bert), max_seq_length=128)
    modules = [word, Pooling(hidden_size)]
    model = SentenceTransformer(modules=modules, prompts=prompts, default_prompt_name=default_prompt_name)
    model.save(str(folder / name))
    return folder / name


def _letters() -> object:
    from tokenizers import BertWordPieceTokenizer

    letters = [chr(c) for c in range(33, 127)] + list("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    ids = {token: number for number, token in enumerate(vocabulary)}
    return BertWordPieceTokenizer(vocab=ids, lowercase=False)._tokenizer
