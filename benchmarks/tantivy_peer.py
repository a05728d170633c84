"""The search by words beside tantivy's on the same tokens, in one run: time, memory, and how alike what they find is.

    pip install tantivy
    VAR_DIR=/tmp/benchmark python benchmarks/tantivy_peer.py --collection loadtest --index /tmp/tantivy \
        --questions ../shared/data/retrieval/{poquad,prawo,lquad,faq_ms}/queries.jsonl

The peer gets the postings of the collection, a document a chunk with a field for lemmas and one for forms, and asks for
the terms of our question, each with our weight. What it cannot be given are our constants (its k1 and b are fixed), the
exact lengths (it keeps a byte) and another mean length than that of its whole index. It searches alone: no rights, no
filters, no key of a chunk looked up. Questions go to one and the other in turn.
"""

import argparse
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import tantivy  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from lexical_speed import line, read_questions, timed  # noqa: E402

from ingestion.index.packed_rows import restore_rows  # noqa: E402
from ingestion.models import Chunk, Collection  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from knowledgetree.postgres.copying import copy  # noqa: E402
from rag.search.query.analysis import AnalysedQuery, analyse_query  # noqa: E402
from rag.search.retrieval.bm25 import inverse_document_frequency  # noqa: E402
from rag.search.retrieval.filters import condition  # noqa: E402
from rag.search.retrieval.lexical import (  # noqa: E402
    CorpusStatistics,
    LexicalRetriever,
    corpus_statistics,
    term_weights,
)
from rag.types import Filters  # noqa: E402

TOP = 20
WARM_UP = 20
_POSTINGS = """
COPY (
    SELECT chunk_id, term_id, lemma_count, form_count FROM ingestion_posting WHERE collection_id = %s ORDER BY chunk_id
) TO STDOUT (FORMAT BINARY)
"""
_TYPES = ["int4", "int4", "int2", "int2"]

Search = Callable[[AnalysedQuery], list[tuple[int, float]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", default="loadtest")
    parser.add_argument("--index", type=Path, required=True, help="a folder for the peer's index; kept")
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--edits", action="store_true", help="how long it takes until a change is found")
    arguments = parser.parse_args()
    collection = Collection.objects.get(slug=arguments.collection)
    statistics = corpus_statistics([collection.pk])
    index = peer_index(arguments.index, collection)
    queries = [analyse_query(text, [collection.pk]) for text in read_questions(arguments.questions)]
    searches = {"ours": our_search(collection, statistics), "tantivy": peer_search(index, collection, statistics)}
    compare(searches, queries)
    if arguments.edits:
        report_edits(index)


def peer_index(folder: Path, collection: Collection) -> tantivy.Index:
    """Made of the postings, where there is none yet."""
    fields = tantivy.SchemaBuilder().add_integer_field("chunk", fast=True, indexed=True)
    for name in ("lemmas", "forms"):
        fields = fields.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    if (folder / "meta.json").exists():
        return tantivy.Index(fields.build(), path=str(folder))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    index = tantivy.Index(fields.build(), path=str(folder))
    started, before = time.process_time(), resident()
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for chunk, terms in groupby(postings(collection), key=itemgetter(0)):
        document = tantivy.Document(chunk=chunk)
        lemmas, forms = [], []
        for _, term, lemma, form in terms:
            lemmas += [str(term)] * lemma
            forms += [str(term)] * form
        document.add_text("lemmas", " ".join(lemmas))
        document.add_text("forms", " ".join(forms))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.process_time() - started
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    print(f"the peer's index: {seconds:.0f} s of the processor, {size:.0f} MB; {resident() - before:.0f} MB to make it")
    return index


def postings(collection: Collection) -> Iterator[tuple[int, int, int, int]]:
    with transaction.atomic():  # of what lists took the place of
        restore_rows(collection.pk, list(Chunk.objects.filter(collection=collection).values_list("pk", flat=True)))
    with copy(_POSTINGS, [collection.pk]) as rows:
        rows.set_types(_TYPES)
        yield from rows.rows()


def our_search(collection: Collection, statistics: CorpusStatistics) -> Search:
    retriever, where = LexicalRetriever(rag_settings().lexical), condition(Filters())
    return lambda query: retriever.retrieve(
        query, collections=[collection], statistics=statistics, condition=where, limit=TOP
    )


def peer_search(index: tantivy.Index, collection: Collection, statistics: CorpusStatistics) -> Search:
    index.reload()
    searcher, schema = index.searcher(), index.schema

    def part(field: str, term: int, weight: float) -> tuple[Any, Any]:
        """The term with our weight instead of the peer's idf."""
        own = inverse_document_frequency(searcher.doc_freq(field, str(term)), searcher.num_docs)
        asked = tantivy.Query.term_query(schema, field, str(term), "freq")
        return tantivy.Occur.Should, tantivy.Query.boost_query(asked, weight / own)

    def search(query: AnalysedQuery) -> list[tuple[int, float]]:
        weights = term_weights(query, statistics)
        parts = [part("lemmas", t, collection.lemma_weight * w.lemma_idf) for t, w in weights.items() if w.lemma_idf]
        parts += [part("forms", t, collection.form_weight * w.form_idf) for t, w in weights.items() if w.form_idf]
        hits = searcher.search(tantivy.Query.boolean_query(parts), limit=TOP, count=False).hits
        chunks = searcher.fast_field_values("chunk", [place for _, place in hits])
        return [(chunk, score) for chunk, (score, _) in zip(chunks, hits, strict=True)]

    return search


def compare(searches: Mapping[str, Search], queries: Sequence[AnalysedQuery]) -> None:
    for search in searches.values():
        for query in queries[:WARM_UP]:
            search(query)
    times: dict[str, list[float]] = {name: [] for name in searches}
    found: dict[str, list[list[int]]] = {name: [] for name in searches}
    used = dict.fromkeys(searches, 0.0)
    for query in queries:
        for name, search in searches.items():
            before = time.process_time() + backend_seconds()
            milliseconds, hits = timed(lambda search=search, query=query: search(query))
            used[name] += time.process_time() + backend_seconds() - before
            times[name].append(milliseconds)
            found[name].append([chunk for chunk, _ in hits])
    for name in searches:
        each = used[name] / len(queries) * 1000
        print(f"{name:8} mean {mean(times[name]):5.2f} ms   {line(times[name])}   processor {each:.2f} ms")
    alike = [len(set(a) & set(b)) / max(1, len(b)) for a, b in zip(found["tantivy"], found["ours"], strict=True)]
    firsts = [a[:1] == b[:1] for a, b in zip(found["tantivy"], found["ours"], strict=True)]
    print(f"ours takes {mean(times['ours']) / mean(times['tantivy']):.1f} times as long")
    print(f"the peer finds {mean(alike):.4f} of our first {TOP}, and {mean(firsts):.4f} of the firsts")


def report_edits(index: tantivy.Index) -> None:
    writer = index.writer(heap_size=50_000_000, num_threads=1)
    times = []
    for key in range(10):
        document = tantivy.Document(chunk=-key - 1, lemmas="1 2 3", forms="1 2 3")

        def edit(document: tantivy.Document = document, key: int = key) -> None:
            writer.delete_documents_by_term("chunk", -key - 1)
            writer.add_document(document)
            writer.commit()
            index.reload()

        times.append(timed(edit)[0])
    print("a changed chunk is found after", line(times))


def backend_seconds() -> float:
    """The processor time of our connection's server process."""
    pid = connection.connection.info.backend_pid
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident() -> float:
    """The most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
