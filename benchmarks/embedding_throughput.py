"""Throughput of ingestion with a model, as a share of the model's own encode loop on the same texts in the same run.

    python benchmarks/embedding_throughput.py --chunks ../shared/data/loadtest/chunks_100k.jsonl.gz

The model is a BERT of six layers with random weights: as slow as a real one of that size, and nothing to download. The
database is a new one in a temporary folder. Before every round the embedding cache is emptied.
"""

import argparse
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

PER_DOCUMENT = 25  # lines of the file that make one document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    contents = read_documents(arguments.chunks, arguments.documents)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        model = build_model(Path(folder), contents)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "knowledgetree.settings",
            "VAR_DIR": f"{folder}/var",
            "EMBEDDER": "sentence_transformers",
            "EMBEDDING_MODEL": str(model),
        }
        compare(contents, arguments.rounds)


def read_documents(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(count * PER_DOCUMENT), lines, strict=False)]
    return ["\n\n".join(texts[start : start + PER_DOCUMENT]) for start in range(0, len(texts), PER_DOCUMENT)]


def build_model(folder: Path, texts: list[str]) -> Path:
    """Six layers, hidden size 384, word pieces learnt from the texts, so that lengths in tokens are usual ones."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    learnt = BertWordPieceTokenizer(lowercase=False)
    learnt.train_from_iterator(texts, vocab_size=20_000, min_frequency=2, show_progress=False)
    BertTokenizerFast(vocab=learnt.get_vocab(), do_lower_case=False).save_pretrained(folder / "bert")
    config = BertConfig(
        vocab_size=learnt.get_vocab_size(),
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
    )
    BertModel(config).save_pretrained(folder / "bert")
    word = Transformer(str(folder / "bert"), max_seq_length=512)
    SentenceTransformer(modules=[word, Pooling(384)]).save(str(folder / "model"))
    return folder / "model"


def compare(contents: list[str], rounds: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from ingestion.models import Collection, EmbeddingCacheEntry
    from ingestion.pipeline import ingest
    from ingestion.selectors import active_space, embedder_of
    from ingestion.services.documents import add_document
    from ingestion.vectors import draft_of, embedded_texts
    from knowledgetree.conf import rag_settings

    call_command("migrate", verbosity=0)
    collection = Collection.objects.create(name="Test", slug="test")
    documents = [
        add_document(collection=collection, name=f"{n}.txt", content=text.encode(), enqueue=False)
        for n, text in enumerate(contents)
    ]

    def ingest_all() -> None:
        EmbeddingCacheEntry.objects.all().delete()
        for document in documents:
            ingest(document, rag_settings().ingestion, lambda *_: None)

    ingest_all()  # loads the model, measures the batch size, fills the caches of the analyser
    space = active_space()
    texts = [
        text
        for document in documents
        for chunk in document.chunks.select_related("document").order_by("ordinal")
        for text in embedded_texts(draft_of(chunk), title=chunk.document.title, space=space)
    ]
    embedder = embedder_of(space)
    model = embedder._encoder._model
    print(f"{len(documents)} documents, {len(texts)} texts, batch size {embedder.batch_size} (measured)")
    walls, cpus = [], []
    for _ in range(rounds):
        ours, own = timed(ingest_all), timed(lambda: model.encode(texts, normalize_embeddings=True))
        walls.append(own[0] / ours[0])
        cpus.append(own[1] / ours[1])
        print(
            f"ingest {len(documents) / ours[0]:6.2f} documents/s, model alone {len(documents) / own[0]:6.2f} "
            f"documents/s ({len(texts) / own[0]:.0f} texts/s); ratio {walls[-1]:.3f}, by processor time {cpus[-1]:.3f}"
        )
    print(f"median ratio {statistics.median(walls):.3f}, by processor time {statistics.median(cpus):.3f}")


def timed(call) -> tuple[float, float]:
    """Seconds, and seconds of processor time."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    main()
