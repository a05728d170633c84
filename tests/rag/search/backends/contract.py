"""What every search backend keeps: a class of tests that each inherits."""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from ingestion.index.spaces import ensure_active_space
from ingestion.models import Chunk, Collection, Document, Readership
from ingestion.selectors.clearance import UNCLEARED, Clearance
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import archive_document, delete_document
from knowledgetree.conf import LexicalSettings
from rag.search.query.analysis import AnalysedQuery, analyse_query
from rag.search.retrieval.backends.protocol import SearchBackend
from rag.search.retrieval.dense import DenseHit
from rag.search.retrieval.filters import condition
from rag.search.retrieval.lexical import CorpusStatistics, corpus_statistics
from rag.types import Filters
from tests.conftest import AddDocument
from tests.rag.search.test_dense import FILTERS, in_force
from tests.rag.search.test_lexical import expected
from tests.rag.search.vectors import TODAY, Library, make_library, question

SETTINGS = LexicalSettings()
WORDS = "urlop urlopu umowa umowy faktura faktury wniosek termin opłata zapłata sąd urząd dni".split()
QUERIES = ("termin opłaty za wniosek", "urlopy", "faktura sądu", "umowę sądu i urzędu")

Tell = Callable[[], None]

_HALF = 2e-3  # PostgreSQL's index compares numbers of half precision


def text_of(source: Random) -> str:
    return " ".join(source.choices(WORDS, k=source.randint(3, 40)))


class BackendContract:
    """`backend` is what is tested; `tell` lets it know of everything that changed, where it has to be told."""

    @pytest.fixture
    def backend(self) -> SearchBackend:
        raise NotImplementedError

    @pytest.fixture
    def tell(self) -> Tell:
        raise NotImplementedError

    @pytest.fixture
    def library(self, public: Collection, internal: Collection) -> Library:
        ensure_active_space()  # whose index cannot be made after rows that the transaction has not checked yet
        return make_library([public, internal], documents=60)

    @pytest.fixture
    def library_of_sentences(self, public: Collection) -> Library:
        ensure_active_space()
        return make_library([public], documents=20, sentences=True)

    @pytest.fixture
    def letters(self, public: Collection, index: AddDocument) -> list[Document]:
        """Documents of some sentences each, in the words above."""
        source = Random(3)
        return [index(public, text_of(source), name=f"{n}.txt", title=f"Pismo {n}") for n in range(12)]

    @pytest.mark.slow
    def test_scores_are_exact_whatever_is_edited_and_whether_it_was_told(
        self, backend: SearchBackend, tell: Tell, public: Collection, letters: list[Document], index: AddDocument
    ) -> None:
        source = Random(7)
        for step in range(12):
            edit_something(source, step, public, index)
            if step % 3 == 2:
                tell()
            for query in QUERIES:
                assert_exact(backend, query, public)

    def test_at_most_so_many_come_back_and_of_equals_the_lower_key(
        self, backend: SearchBackend, tell: Tell, public: Collection, index: AddDocument
    ) -> None:
        for n in range(7):
            index(public, "Faktura za wodę", name=f"{n}.txt", title="Ta sama")
        tell()
        found = by_words(backend, "faktura", [public], limit=4)
        assert [chunk for chunk, _ in found] == sorted(Chunk.objects.values_list("pk", flat=True))[:4]

    def test_words_that_stand_nowhere_find_nothing(
        self, backend: SearchBackend, tell: Tell, public: Collection, letters: list[Document]
    ) -> None:
        tell()
        assert by_words(backend, "dinozaur", [public]) == []

    def test_only_the_collections_that_are_given_are_searched(
        self, backend: SearchBackend, tell: Tell, public: Collection, restricted: Collection, index: AddDocument
    ) -> None:
        index(public, "Faktura za wodę", title="jawna", name="jawna.txt")
        index(restricted, "Faktura za milczenie", title="tajna", name="tajna.txt")
        tell()
        assert titles(by_words(backend, "faktura", [public])) == ["jawna"]
        assert titles(by_words(backend, "faktura", [restricted])) == ["tajna"]
        assert titles(by_words(backend, "faktura", [public, restricted])) == ["jawna", "tajna"]
        assert by_words(backend, "faktura", []) == []

    def test_collections_that_weigh_words_otherwise_are_searched_together(
        self, backend: SearchBackend, tell: Tell, public: Collection, internal: Collection, index: AddDocument
    ) -> None:
        Collection.objects.filter(pk=internal.pk).update(form_weight=1.5, lemma_weight=0.5)
        internal.refresh_from_db()
        for n in range(6):
            index(public, f"Faktura {'faktury ' * n} za wodę", name=f"{n}.txt")
            index(internal, f"Faktura {'faktur ' * n} za gaz", name=f"{n}.txt")
        tell()
        both = [public, internal]
        keys = [one.pk for one in both]
        query, statistics = analyse_query("faktury za gaz", keys), corpus_statistics(keys)
        apart: dict[int, float] = {}
        for one in both:
            apart |= dict(by_words(backend, query, [one], statistics=statistics))
        found = by_words(backend, query, both)
        assert dict(found) == pytest.approx(apart)
        assert [chunk for chunk, _ in found] == sorted(apart, key=lambda chunk: (-apart[chunk], chunk))
        assert len(found) == 12

    @pytest.mark.parametrize("stale", [False, True], ids=["told", "not told"])
    def test_what_may_not_be_found_never_comes_back(
        self, backend: SearchBackend, tell: Tell, public: Collection, index: AddDocument, stale: bool
    ) -> None:
        names = "dobra usunięta archiwalna wyłączona wygasła przyszła".split()
        documents = {name: index(public, f"Faktura {name}", title=name, name=f"{name}.txt") for name in names}
        tell()
        delete_document(document=documents["usunięta"])
        archive_document(document=documents["archiwalna"])
        set_chunk_enabled(chunk=documents["wyłączona"].chunks.get(), enabled=False)
        today = timezone.localdate()
        Document.objects.filter(title="wygasła").update(valid_to=today - timedelta(days=1))
        Document.objects.filter(title="przyszła").update(valid_from=today + timedelta(days=1))
        if not stale:
            tell()
        assert titles(by_words(backend, "faktura", [public])) == ["dobra"]
        assert titles(by_words(backend, "faktura", [public], Filters(include_expired=True))) == [
            "dobra",
            "przyszła",
            "wygasła",
        ]

    @pytest.mark.parametrize("stale", [False, True], ids=["told", "not told"])
    def test_documents_with_readers_of_their_own_come_back_to_these_alone(
        self, backend: SearchBackend, tell: Tell, public: Collection, index: AddDocument, stale: bool
    ) -> None:
        for name in ("dla wszystkich", "dla kadr"):
            index(public, f"Faktura {name}", title=name, name=f"{name}.txt")
        tell()
        readers = Readership.objects.create(digest="kadry")
        Document.objects.filter(title="dla kadr").update(readership=readers)
        if not stale:
            tell()
        nobody, somebody = Clearance(), Clearance(readerships=(readers.pk,))
        assert titles(by_words(backend, "faktura", [public], clearance=nobody)) == ["dla wszystkich"]
        assert titles(by_words(backend, "faktura", [public], clearance=somebody)) == ["dla kadr", "dla wszystkich"]

    def test_each_filter_is_met(self, backend: SearchBackend, tell: Tell, library: Library) -> None:
        tell()
        for values, passes in FILTERS.values():
            filters = Filters(**{"valid_on": TODAY, **values})
            passing = {
                document.pk
                for n, document in enumerate(library.documents)
                if passes(n, document) and (in_force(document, filters.valid_on or TODAY) or filters.include_expired)
            }
            found = by_vector(backend, library, filters=filters)
            assert found, values
            assert [hit.chunk_id for hit in found] == library.nearest(question(), passing, 10), values

    def test_the_nearest_come_first_with_their_cosines(
        self, backend: SearchBackend, tell: Tell, library: Library
    ) -> None:
        tell()
        found = by_vector(backend, library)
        everybody = {document.pk for document in library.documents}
        assert [hit.chunk_id for hit in found] == library.nearest(question(), everybody, 10)
        for hit in found:
            assert hit.similarity == pytest.approx(library.similarity(question(), hit.chunk_id, 0), abs=_HALF)

    def test_a_chunk_is_as_near_as_its_nearest_sentence(
        self, backend: SearchBackend, tell: Tell, library_of_sentences: Library
    ) -> None:
        library = library_of_sentences
        tell()
        for hit in by_vector(backend, library, sentences=True):
            parts = [part for chunk, part in library.vectors if chunk == hit.chunk_id]
            best = max(parts, key=lambda part: library.similarity(question(), hit.chunk_id, part))
            assert hit.part == best
            assert hit.similarity == pytest.approx(library.similarity(question(), hit.chunk_id, best), abs=_HALF)
        assert any(hit.part for hit in by_vector(backend, library, sentences=True))

    def test_vectors_are_compared_among_chosen_chunks_alone(
        self, backend: SearchBackend, tell: Tell, library: Library
    ) -> None:
        tell()
        among = [chunk.pk for chunk in library.chunks[:6]]
        found = by_vector(backend, library, among=among)
        assert {hit.chunk_id for hit in found} <= set(among)
        assert found

    def test_a_phrase_is_looked_for_in_the_texts(
        self, backend: SearchBackend, tell: Tell, public: Collection, index: AddDocument
    ) -> None:
        index(public, "Zapłata za fakturę w terminie", title="inna", name="inna.txt")
        index(public, "Faktura za zapłatę w terminie", title="ta", name="ta.txt")
        tell()
        query = analyse_query('"faktura za zapłatę"', [public.pk])
        where = condition(Filters(), query.phrases)
        found = backend.by_words(
            query, collections=[public], statistics=corpus_statistics([public.pk]), condition=where, limit=5
        )
        assert titles(found) == ["ta"]


def by_words(
    backend: SearchBackend,
    query: str | AnalysedQuery,
    collections: list[Collection],
    filters: Filters | None = None,
    *,
    limit: int = 100,
    statistics: CorpusStatistics | None = None,
    clearance: Clearance = UNCLEARED,
) -> list[tuple[int, float]]:
    keys = [collection.pk for collection in collections]
    return backend.by_words(
        analyse_query(query, keys) if isinstance(query, str) else query,
        collections=collections,
        statistics=statistics or corpus_statistics(keys),
        condition=condition(filters or Filters(), clearance=clearance),
        limit=limit,
    )


def by_vector(
    backend: SearchBackend, library: Library, *, filters: Filters | None = None, **options: Any
) -> list[DenseHit]:
    return backend.by_vector(
        question(),
        space=library.space,
        collection_ids=library.collections,
        statistics=corpus_statistics(library.collections),
        condition=condition(filters or Filters(include_expired=True)),
        limit=10,
        **options,
    )


def titles(found: list[tuple[int, float]]) -> list[str]:
    keys = [chunk for chunk, _ in found]
    return sorted(Chunk.objects.filter(pk__in=keys).values_list("document__title", flat=True))


def assert_exact(backend: SearchBackend, query: str, collection: Collection) -> None:
    ours, theirs = by_words(backend, query, [collection]), expected(query, collection)
    assert dict(ours) == pytest.approx(theirs, abs=1e-4)
    assert ours == sorted(ours, key=lambda hit: -hit[1])


def edit_something(source: Random, step: int, collection: Collection, index: AddDocument) -> None:
    """Each kind of edit in turn, of a document that is drawn."""
    chunk = source.choice(list(Chunk.objects.filter(collection=collection).select_related("document").order_by("pk")))
    match step % 5:
        case 0:
            index(collection, text_of(source), name=f"nowe-{step}.txt", title=f"Nowe {step}")
        case 1:
            edit_chunk(chunk=chunk, text=text_of(source))
        case 2:
            set_chunk_enabled(chunk=chunk, enabled=not chunk.enabled)
        case 3:
            index(collection, text_of(source), name=chunk.document.file_name, title=chunk.document.title)
        case _:
            delete_document(document=chunk.document)
