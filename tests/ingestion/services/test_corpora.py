"""Many short documents at once: the index is the one that single documents would have made."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ingestion
from ingestion.errors import IngestionError
from ingestion.jobs.maintenance import index_active_space
from ingestion.models import (
    Chunk,
    ChunkEmbedding,
    ChunkSketch,
    Collection,
    Document,
    DocumentSketch,
    EmbeddingSpace,
    Extraction,
    PersonalData,
)
from ingestion.models.postings import CollectionStatistics, Posting, TermStatistics
from ingestion.renewal.reembedding.indexing import drop_index, has_index
from ingestion.services import corpora
from ingestion.services.corpora import CorpusEntry, code_of_index, index_corpus, read_corpus
from ingestion.services.spaces import create_space
from tests.conftest import AddDocument

ENTRIES = [
    CorpusEntry(uri="urlop", title="Urlop wypoczynkowy", text="Pracownikowi przysługuje 26 dni urlopu."),
    CorpusEntry(uri="odpady", title="Odpady", text="Stawka za śmieci wynosi 31 zł."),
    CorpusEntry(uri="pusty", title="Sam tytuł", text=""),
]


def postings(collection: Collection) -> set[tuple[Any, ...]]:
    rows = Posting.objects.filter(collection=collection)
    fields = ("term__text", "chunk__document__uri", "chunk__ordinal", "lemma_count", "form_count", "length")
    return set(rows.values_list(*fields))


def test_the_index_is_that_of_single_documents(public: Collection, internal: Collection, index: AddDocument) -> None:
    index_corpus(collection=public, entries=ENTRIES)
    for entry in ENTRIES:
        index(internal, entry.content, name=f"{entry.uri}.txt", uri=entry.uri, title=entry.title)
    assert postings(public) == postings(internal)
    fields = ("document__title", "text", "start", "end", "line_start", "line_end", "heading_path", "context_before")
    of_collection = [list(Chunk.objects.filter(collection=one).values_list(*fields)) for one in (public, internal)]
    assert of_collection[0] == of_collection[1]
    vectors = [
        [
            list(embedding)
            for chunk in Chunk.objects.filter(collection=one)
            for embedding in [chunk.embeddings.get().embedding]
        ]
        for one in (public, internal)
    ]
    assert vectors[0] == vectors[1]


def test_a_corpus_is_known_as_well_as_documents_are(
    public: Collection, internal: Collection, index: AddDocument
) -> None:
    """Its near-duplicates' sketches, its personal data, what its texts were read from and by which release."""
    entries = [*ENTRIES, CorpusEntry(uri="osoba", title="Umowa", text="Umowa z osobą o numerze PESEL 44051401359.")]
    index_corpus(collection=public, entries=entries)
    for entry in entries:
        index(internal, entry.content, name=f"{entry.uri}.txt", uri=entry.uri, title=entry.title)

    def known(collection: Collection) -> list[list[Any]]:
        documents = Document.objects.filter(collection=collection).order_by("uri")
        fields = ("uri", "status", "warnings", "chunk_count", "chunking", "names_version")
        texts = Extraction.objects.filter(document__in=documents).order_by("document__uri")
        found = PersonalData.objects.filter(document__in=documents)
        sketches = DocumentSketch.objects.filter(document__in=documents).order_by("document__uri")
        of_chunks = ChunkSketch.objects.filter(chunk__collection=collection).order_by("chunk__document__uri")
        return [
            list(documents.values_list(*fields)),
            list(texts.values_list("extractor", "text", "page_starts", "checksum")),
            list(found.values_list("kind", "start", "end")),
            [(bytes(one.signature), one.bands) for one in (*sketches, *of_chunks)],
        ]

    assert known(public) == known(internal)
    assert all(known(public))


def test_every_part_that_makes_an_index_counts_for_whether_it_is_fresh() -> None:
    names = {str(path.relative_to(Path(ingestion.__file__).parent)) for path in code_of_index()}
    parts = ["text/analyser.py", "chunking/splitting.py", "reading/registry.py", "embedding/template.py"]
    assert names >= {*parts, "index/vectors.py", "index/writing.py", "pipeline.py", "services/corpora.py"}


def test_unchanged_entries_are_left_alone(public: Collection) -> None:
    index_corpus(collection=public, entries=ENTRIES)
    keys = set(Chunk.objects.values_list("pk", flat=True))
    report = index_corpus(collection=public, entries=ENTRIES)
    assert (report.indexed, report.unchanged, report.removed) == (0, 3, 0)
    assert set(Chunk.objects.values_list("pk", flat=True)) == keys


def test_changed_and_missing_entries_leave_nothing_behind(public: Collection) -> None:
    index_corpus(collection=public, entries=ENTRIES)
    changed = replace(ENTRIES[0], text="Urlop trwa 20 dni.")
    report = index_corpus(collection=public, entries=[changed, ENTRIES[2]])
    assert (report.indexed, report.unchanged, report.removed) == (1, 1, 1)
    assert set(Document.objects.values_list("uri", flat=True)) == {"urlop", "pusty"}
    assert not Posting.objects.filter(term__text__in=["26", "śmieć"]).exists()
    assert CollectionStatistics.objects.get(collection=public).chunks == Chunk.objects.count() == 2


def test_other_settings_index_anew(public: Collection, settings: Any) -> None:
    index_corpus(collection=public, entries=ENTRIES)
    settings.RAG = {**settings.RAG, "ingestion": {"chunking": {"chunk_size": 64}}}
    assert index_corpus(collection=public, entries=ENTRIES).indexed == len(ENTRIES)


def test_a_new_embedding_space_indexes_anew(public: Collection) -> None:
    index_corpus(collection=public, entries=ENTRIES)
    create_space(embedder="hashing", options={"dimension": 64}, queue=False)
    assert index_corpus(collection=public, entries=ENTRIES).indexed == len(ENTRIES)
    assert index_corpus(collection=public, entries=ENTRIES).indexed == 0


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    """Other separators may stand inside a JSON text, as they are."""
    path = tmp_path / "corpus.jsonl"
    text = "wiersz\u2028drugi\x85trzeci\u2029czwarty"
    path.write_text(f'{{"_id": "a", "text": "{text}"}}\n{{"_id": "b", "text": "c"}}\n', encoding="utf-8")
    assert [entry.text for entry in read_corpus(path)] == [text, "c"]


@pytest.mark.parametrize("line", ["{", "[]", '{"title": "bez nazwy"}', '{"_id": "x", "text": '])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "a", "text": "b"}\n' + line, encoding="utf-8")
    with pytest.raises(IngestionError, match="2"):
        list(read_corpus(path))


@pytest.mark.django_db(transaction=True)
def test_the_index_of_vectors_is_made_after_many_documents_and_at_night_where_that_was_broken_off(
    public: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora, "LEAST_FOR_INDEX_AFTERWARDS", len(ENTRIES))
    indexed: list[bool] = []

    def note(done: int, total: int) -> None:
        indexed.append(has_index(EmbeddingSpace.objects.get(status="active")))

    index_corpus(collection=public, entries=ENTRIES, progress=note)
    space = EmbeddingSpace.objects.get(status="active")
    assert indexed == [False]
    assert has_index(space)
    assert ChunkEmbedding.objects.filter(space=space).count() == len(ENTRIES)
    index_corpus(collection=public, entries=[replace(entry, text="Nowa treść.") for entry in ENTRIES[:1]])
    assert has_index(space), "few documents leave it as it is"
    drop_index(space)
    index_active_space()
    assert has_index(space)


MANY = [CorpusEntry(uri=f"wpis-{n}", title="", text=f"Wpis {n} o urlopie i opłacie za odpady.") for n in range(600)]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_several_processes_index_what_one_does(
    public: Collection, internal: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora, "LEAST_FOR_INDEX_AFTERWARDS", len(MANY))
    reports = [index_corpus(collection=public, entries=MANY, processes=2)]
    reports.append(index_corpus(collection=internal, entries=MANY))
    assert {(report.indexed, report.chunks) for report in reports} == {(len(MANY), len(MANY))}
    states = [CollectionStatistics.objects.get(collection=one) for one in (public, internal)]
    assert len({(state.chunks, state.words) for state in states}) == 1
    counted = ("term__text", "lemma_chunks", "form_chunks")
    terms = [set(TermStatistics.objects.filter(collection=one).values_list(*counted)) for one in (public, internal)]
    assert terms[0] == terms[1]
    assert set(public.documents.values_list("status", "chunk_count")) == {("ready", 1)}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_a_process_cannot_read_is_raised_and_the_rest_is_published(
    public: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora, "LEAST_FOR_INDEX_AFTERWARDS", len(MANY))
    with pytest.raises(IngestionError):
        index_corpus(
            collection=public, entries=[*MANY, CorpusEntry(uri="x", title="", text="\x00\x01\x02" * 9)], processes=2
        )
    assert set(public.documents.values_list("status", flat=True)) == {"ready"}
