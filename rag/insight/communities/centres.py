"""What a group of documents has in common: the words that say it best, and the passages that have most of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ingestion.models import Document
from ingestion.selectors.postings import postings_of
from ingestion.text.analyser import analyser
from ingestion.text.morphology.kinship import alike
from rag.insight.communities.topic_words import Corpus
from rag.search.retrieval.filters import named
from rag.search.retrieval.groups import searched_today

_WORDS = 20
_LOOKED_AT = 100  # words of a group, of which those in its titles go first
_IN_TITLES = 4.0  # how much heavier a word is that all titles have: their authors have said what they are about
_LABEL = 3  # words
_KIN = 0.6  # words that begin as alike say the same twice
# Kinds of document, and words of offices, that say nothing of a subject.
_PALE = frozenset(
    "regulamin procedura zasada instrukcja zarządzenie uchwała numer sprawa czas data rok złoty urząd referat miasto "
    "cennik poradnik dokument informacja załącznik".split()
)

_TEXTS = "SELECT id, text FROM ingestion_term WHERE id = ANY(%s)"
_FORMS = "SELECT id, lemma, text FROM ingestion_term WHERE lemma = ANY(%s) ORDER BY text"
_READ = """
SELECT c.document_id, c.id FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id
WHERE c.document_id = ANY(%(documents)s) AND c.collection_id = %(collection)s AND {condition}
"""
_SATURATION = 1.2  # of how often a word stands in a passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Centre:
    """`words` by their weight, the most telling lemmas first."""

    terms: Sequence[int]
    weights: Sequence[float]
    words: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Central:
    """A document of a group with its chunk that says best what the group is about."""

    document_id: int
    chunk_id: int
    score: float


def centres_of(corpus: Corpus, groups: Iterable[Sequence[int]]) -> list[Centre]:
    """The mean of each group's documents; a word of one of them alone is not the group's."""
    place = {document: row for row, document in enumerate(corpus.documents)}
    idf = np.log1p(len(corpus.documents) / np.maximum(1, corpus.counts.count_nonzero(axis=0)))
    return [_centre(corpus, idf, group, [place[document] for document in group]) for group in groups]


def labels_of(centres: Sequence[Centre], collection_id: int) -> list[str]:
    """Three words each: in their base form where the collection's texts have it, else as these mostly write them."""
    chosen = [_unlike(centre.words) for centre in centres]
    forms = _forms({word for words in chosen for word in words}, collection_id)
    return [", ".join(forms.get(word, word) for word in words) for words in chosen]


def central_chunks(centre: Centre, documents: Sequence[int], collection_id: int) -> list[Central]:
    """One of each document, the most central first; none of a document that has no such word any more."""
    sql, parameters = named(searched_today())
    values: dict[str, Any] = {"collection": collection_id, "documents": list(documents)}
    with connection.cursor() as cursor:
        cursor.execute(_READ.format(condition=sql), values | parameters)
        document_of = {chunk: document for document, chunk in cursor.fetchall()}
    scores: dict[int, float] = defaultdict(float)
    found = postings_of(centre.terms, [collection_id])
    for term, weight in zip(centre.terms, centre.weights, strict=True):
        postings = found[term].kept(found[term].lemmas > 0)
        added = weight * postings.lemmas / (postings.lemmas + _SATURATION)
        for chunk, score in zip(postings.chunks.tolist(), added.tolist(), strict=True):
            if chunk in document_of:
                scores[chunk] += score
    best: dict[int, Central] = {}
    for chunk, score in sorted(scores.items(), key=lambda one: (-one[1], one[0])):
        document = document_of[chunk]
        best.setdefault(document, Central(document_id=document, chunk_id=chunk, score=score))
    return sorted(best.values(), key=lambda one: (-one.score, one.document_id))


def _centre(corpus: Corpus, idf: NDArray[np.float64], group: Sequence[int], rows: Sequence[int]) -> Centre:
    own = corpus.counts[list(rows)]
    shared = np.flatnonzero(own.count_nonzero(axis=0) > 1)
    weights = own[:, shared].log1p().sum(axis=0) * idf[shared] / len(rows)
    heaviest = np.argsort(-weights, kind="stable")[:_LOOKED_AT]
    weight_of = dict(zip(corpus.terms[shared[heaviest]].tolist(), weights[heaviest].tolist(), strict=True))
    texts, titles = _texts(weight_of), _in_titles(group)
    for term, text in texts.items():
        weight_of[term] *= 1 + _IN_TITLES * titles[text] / len(group)
    terms = sorted(texts, key=lambda term: (-weight_of[term], texts[term]))[:_WORDS]
    return Centre(terms=terms, weights=[weight_of[term] for term in terms], words=[texts[term] for term in terms])


def _texts(terms: Iterable[int]) -> dict[int, str]:
    with connection.cursor() as cursor:
        cursor.execute(_TEXTS, [list(terms)])
        return dict(cursor.fetchall())


def _in_titles(group: Sequence[int]) -> Counter[str]:
    """In how many titles each lemma stands."""
    titles = Document.objects.filter(pk__in=group).values_list("title", flat=True)
    return Counter(lemma for title in titles for lemma in {lemma for _, lemma in analyser().words(title)})


def _unlike(words: Iterable[str]) -> list[str]:
    chosen: list[str] = []
    for word in (word for word in words if word not in _PALE):
        if len(chosen) < _LABEL and not any(alike(word, other) >= _KIN for other in chosen):
            chosen.append(word)
    return chosen


def _forms(lemmas: Iterable[str], collection_id: int) -> Mapping[str, str]:
    """Of each lemma the form that is written most; the lemma itself wins where it is written at all."""
    with connection.cursor() as cursor:
        cursor.execute(_FORMS, [sorted(lemmas)])
        rows = cursor.fetchall()
    postings = postings_of([term for term, _, _ in rows], [collection_id])
    often = {form: int(postings[term].forms.sum()) for term, _, form in rows}
    written = sorted(((lemma, form) for _, lemma, form in rows if often[form]), key=lambda one: often[one[1]])
    return {lemma: lemma if (lemma, lemma) in written else form for lemma, form in written}
