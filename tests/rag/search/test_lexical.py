"""BM25 in SQL against an independent implementation, through inserts, updates and deletes."""

import random

import bm25s
import numpy as np
import pytest

from ingestion.index.vectors import draft_of
from ingestion.index.writing import remove_postings
from ingestion.models import Chunk, Collection, Synonym, SynonymGroup, Term
from ingestion.pipeline import searched_words
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import delete_document
from ingestion.services.synonyms import save_synonym
from ingestion.text.analyser import analyser
from knowledgetree.conf import LexicalSettings
from rag.search.query.analysis import analyse_query
from rag.search.results_cache import expanded_query
from rag.search.retrieval.filters import condition
from rag.search.retrieval.lexical import LexicalRetriever, corpus_statistics, term_weights
from rag.types import Filters
from tests.conftest import AddDocument

WORDS = "urlop urlopu umowa umowy faktura faktury wniosek termin opłata zapłata sąd urząd 26 dni".split()
SETTINGS = LexicalSettings()


def retrieve(query: str, collection: Collection) -> dict[int, float]:
    analysed = analyse_query(query, [collection.pk])
    return dict(
        LexicalRetriever(SETTINGS).retrieve(
            analysed,
            collections=[collection],
            statistics=corpus_statistics([collection.pk]),
            condition=condition(Filters()),
            limit=1000,
        )
    )


def expected(query: str, collection: Collection) -> dict[int, float]:
    """Scores by bm25s, method "lucene", on the same tokens."""
    chunks = list(Chunk.objects.filter(collection=collection, enabled=True).select_related("document").order_by("pk"))
    tokens = [searched_words(draft_of(chunk), chunk.document.title) for chunk in chunks]
    asked = [token for token in analyser().tokens(query) if not analyser().is_stop_word(token)]
    total = np.zeros(len(chunks))
    for field, weight in ((1, collection.lemma_weight), (0, collection.form_weight)):
        index = bm25s.BM25(method="lucene", k1=SETTINGS.k1, b=SETTINGS.b)
        index.index([[word[field] for word in words] for words in tokens], show_progress=False)
        words = {(token.form, token.lemma)[field] for token in asked} & set(index.vocab_dict)
        total += weight * (index.get_scores(sorted(words)) if words else 0)
    return {chunk.pk: score for chunk, score in zip(chunks, total, strict=True) if score > 0}


def assert_same(query: str, collection: Collection) -> None:
    ours, theirs = retrieve(query, collection), expected(query, collection)
    assert ours.keys() == theirs.keys()
    for chunk, score in theirs.items():
        assert ours[chunk] == pytest.approx(score, abs=1e-4)


@pytest.mark.slow
def test_scores_are_exact_after_inserts_updates_and_deletes(public: Collection, index: AddDocument) -> None:
    source = random.Random(5)

    def text() -> str:
        return " ".join(source.choices(WORDS, k=source.randint(3, 40)))

    documents = [index(public, text(), name=f"{n}.txt", title=f"Tytuł {n}") for n in range(25)]
    queries = ["termin opłaty za wniosek", "urlopy 26 dni", "faktura", "umowę sądu i urzędu"]
    for query in queries:
        assert_same(query, public)

    for n in (1, 4, 9):
        index(public, text(), name=f"{n}.txt", title=f"Tytuł {n}")
    for document in documents[10:15]:
        delete_document(document=document)
    set_chunk_enabled(chunk=documents[20].chunks.get(), enabled=False)
    edit_chunk(chunk=documents[21].chunks.get(), text="umowa urlopu w sądzie")
    for query in queries:
        assert_same(query, public)


def test_a_lemma_that_two_words_of_the_question_share_counts_once(public: Collection, index: AddDocument) -> None:
    for n, text in enumerate(("faktura i umowa", "faktury", "umowy i termin", "wniosek o urlop")):
        index(public, text, name=f"{n}.txt", title="Tytuł")
    assert_same("faktura faktury umowa", public)


def test_deleting_everything_leaves_no_count_behind(public: Collection, index: AddDocument) -> None:
    document = index(public, "urlop trwa 26 dni")
    assert corpus_statistics([public.pk]).chunks == 1
    delete_document(document=document)
    assert corpus_statistics([public.pk]).chunks == 0
    assert retrieve("urlop", public) == {}


def test_postings_removed_behind_the_services_back_are_counted_too(public: Collection, index: AddDocument) -> None:
    document = index(public, "urlop trwa 26 dni")
    remove_postings(public.pk, [document.chunks.get().pk])
    assert corpus_statistics([public.pk]).chunks == 0


def test_scores_do_not_depend_on_other_collections(
    public: Collection, internal: Collection, index: AddDocument
) -> None:
    index(public, "urlop trwa 26 dni")
    before = retrieve("urlop", public)
    for n in range(5):
        index(internal, "urlop urlop urlop", name=f"{n}.txt")
    assert retrieve("urlop", public) == before


def test_a_filter_that_some_of_the_best_chunks_pass_finds_the_worse_ones_too(
    public: Collection, index: AddDocument
) -> None:
    index(public, "faktura faktura faktura", name="a.txt", category="a")
    for n in range(10):  # more than are looked at first
        index(public, "faktura faktura i umowa", name=f"b{n}.txt", category="b")
    index(public, "faktura, umowa, wniosek, termin, opłata, sąd, urząd", name="z.txt", category="a")
    found = LexicalRetriever(SETTINGS).retrieve(
        analyse_query("faktura", [public.pk]),
        collections=[public],
        statistics=corpus_statistics([public.pk]),
        condition=condition(Filters(categories=("a",))),
        limit=2,
    )
    wanted = Chunk.objects.filter(document__category="a").order_by("pk").values_list("pk", flat=True)
    assert [chunk for chunk, _ in found] == list(wanted)


def test_a_synonym_is_as_rare_as_it_is_itself_and_counts_less(public: Collection, index: AddDocument) -> None:
    group = SynonymGroup.objects.create(name="auto", collection=public)
    for word in ("faktura", "rachunek"):
        save_synonym(synonym=Synonym(group=group, text=word))
    for n in range(5):
        index(public, "faktura", name=f"{n}.txt", title="Tytuł")
    index(public, "rachunek", name="r.txt", title="Tytuł")
    query, statistics = expanded_query("faktura", [public], seconds=0), corpus_statistics([public.pk])
    (weight,) = {alternative.weight for alternative in query.alternatives if alternative.text == "rachunek"}
    weights = term_weights(query, statistics)
    assert 0 < weight < 1
    assert weights[Term.objects.get(text="faktura").pk].lemma_idf == statistics.idf(5)
    assert weights[Term.objects.get(text="rachunek").pk].lemma_idf == weight * statistics.idf(1)
