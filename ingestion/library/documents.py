"""The library as one viewer sees it: their collections, the documents in each, titles by their words.

Everything here starts at what the viewer may read, so no count, choice or order knows of anything else.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from django.core.cache import caches
from django.db.models import Case, Count, F, Func, Max, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Lower

from ingestion.library.privacy import is_masked, masked_collections
from ingestion.models import Collection, Document
from ingestion.models.documents import DocumentQuerySet, in_force_on
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents, visible_collections
from ingestion.selectors.clearance import clearance_of, cleared, version_seen
from ingestion.text.analyser import analyser
from ingestion.text.diacritics import POLISH_LETTERS, fold
from ingestion.text.guessing import Guesses
from ingestion.text.matching import SAME_BEGINNING, lemmas_meant
from ingestion.text.personal_data.masking import masked
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.dictionary_order import in_dictionary_order

Order = Literal["title", "newest", "in_force"]

_POLISH = {polish: plain for plain, letters in POLISH_LETTERS.items() for polish in letters}
_LOOKED_AT = 5000  # titles that begin like what was typed
_MOST_WORDS = 20  # that a title is looked for with
_MOST_TAGS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionCard:
    """`documents`: how many the viewer may open; `changed`: when the newest of them last did, None without any."""

    collection: Collection
    documents: int
    changed: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What documents of a collection can be narrowed by, with how many there are of each; `documents`: of all."""

    documents: int = 0
    categories: tuple[Choice, ...] = ()
    tags: tuple[Choice, ...] = ()
    languages: tuple[Choice, ...] = ()
    media_types: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """An empty value does not narrow. `in_force`: only what is in force on `today`."""

    today: date
    category: str = ""
    tag: str = ""
    language: str = ""
    media_types: tuple[str, ...] = ()
    in_force: bool = False


def collection_cards(viewer: Viewer) -> list[CollectionCard]:
    """The collections that `viewer` may read, by name."""
    ready = Q(documents__status=Document.Status.READY) & cleared(viewer, path="documents")
    collections = visible_collections(viewer).order_by(in_dictionary_order("name"), "pk")
    counted = collections.annotate(
        readable=Count("documents", filter=ready), changed=Max("documents__modified", filter=ready)
    ).values_list("pk", "readable", "changed")
    numbers = {pk: (documents, changed) for pk, documents, changed in counted}
    return [
        CollectionCard(collection=collection, documents=numbers[collection.pk][0], changed=numbers[collection.pk][1])
        for collection in collections
        if collection.pk in numbers
    ]


def documents_of(viewer: Viewer, collection: Collection, narrowing: Narrowing, order: Order) -> DocumentQuerySet:
    """Documents of `collection` that `viewer` may open and that fit."""
    documents = readable_documents(viewer).filter(collection=collection)
    if narrowing.category:
        documents = documents.filter(category=narrowing.category)
    if narrowing.tag:
        documents = documents.filter(tags__contains=[narrowing.tag])
    if narrowing.language:
        documents = documents.filter(language=narrowing.language)
    if narrowing.media_types:
        documents = documents.filter(media_type__in=narrowing.media_types)
    if narrowing.in_force:
        documents = documents.valid_on(narrowing.today)
    return _ordered(documents, order, narrowing.today)


def choices_of(viewer: Viewer, collection: Collection) -> Choices:
    """Values of its documents, with how many there are; no value that has personal data which are covered for `viewer`.
    Kept while nothing changes in the collection, for all who may read the same of it: to count them reads every
    document.
    """
    if not visible_collections(viewer).filter(pk=collection.pk).exists():
        return Choices()
    clearance = clearance_of(viewer, within=[collection.pk])
    covers = is_masked(collection, viewer)
    seen = (collection.pk, version_seen(clearance, [collection.pk]), clearance, covers)
    # Not "choices-": what a release before put there has no number of documents.
    key = f"counted-choices-{hashlib.sha256(repr(seen).encode()).hexdigest()}"
    choices: Choices | None = caches["results"].get(key)
    if choices is None:
        choices = _counted_choices(viewer, collection, covers)
        caches["results"].set(key, choices, rag_settings().caches.result_seconds)
    return choices


def _counted_choices(viewer: Viewer, collection: Collection, covers: bool) -> Choices:
    documents = readable_documents(viewer).filter(collection=collection).order_by()
    tags = documents.annotate(tag=Func(F("tags"), function="unnest", output_field=TextField()))
    return Choices(
        documents=documents.count(),
        categories=_choices(documents.exclude(category=""), "category", covers),
        tags=_choices(tags, "tag", covers, once=True)[:_MOST_TAGS],
        languages=_choices(documents.exclude(language=""), "language", covers),
        media_types=_choices(documents, "media_type", covers=False),
    )


def titled(viewer: Viewer, documents: QuerySet[Document], words: str) -> list[int]:
    """Keys of `documents` whose title has each of `words` in some inflection, or begins a word like it.

    The title is what `viewer` sees of it: what is covered is not found. Of very many the first 5,000 are looked at.
    """
    guesses = Guesses(analyser().lemmatiser)
    telling = analyser().content_tokens(words) or analyser().tokens(words)
    wanted = [_Wanted(typed=fold(token.form), lemmas=lemmas_meant(token, guesses)) for token in telling[:_MOST_WORDS]]
    if not wanted:
        return []
    letters, plain_letters = Value("".join(_POLISH)), Value("".join(_POLISH.values()))
    plain = Func(Lower("title"), letters, plain_letters, function="translate", output_field=TextField())
    near = documents.order_by().annotate(plain_title=plain)
    for one in wanted:
        near = near.filter(plain_title__regex=rf"\m({'|'.join(map(re.escape, sorted(one.beginnings)))})")
    covered = set(masked_collections(viewer).values_list("pk", flat=True))
    rows = near.values_list("pk", "title", "collection_id")[:_LOOKED_AT]
    return [pk for pk, title, collection in rows if _says(masked(title) if collection in covered else title, wanted)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A word of a title: a form of one of `lemmas`, or one that begins with `typed`, without diacritics."""

    typed: str
    lemmas: frozenset[str]

    @property
    def beginnings(self) -> set[str]:
        return {fold(word)[:SAME_BEGINNING] for word in (self.typed, *self.lemmas)}


def _says(title: str, wanted: Sequence[_Wanted]) -> bool:
    said = analyser().words(title)
    return all(any(lemma in one.lemmas or fold(form).startswith(one.typed) for form, lemma in said) for one in wanted)


def _choices(documents: QuerySet[Document], field: str, covers: bool, *, once: bool = False) -> tuple[Choice, ...]:
    """`once`: a document may have a value several times. Counting that costs a sort of all documents."""
    counted = documents.values_list(field).annotate(many=Count("pk", distinct=once)).order_by("-many", field)
    return tuple(
        Choice(value=value, documents=many)
        for value, many in counted
        if value and not (covers and masked(value) != value)
    )


def _ordered(documents: DocumentQuerySet, order: Order, today: date) -> DocumentQuerySet:
    by_title = in_dictionary_order("title")
    if order == "newest":
        return documents.order_by("-modified", "-pk")
    if order == "in_force":
        place = Case(When(in_force_on(today), then=0), default=1)
        return documents.order_by(place, F("valid_from").desc(nulls_last=True), by_title, "pk")
    return documents.order_by(by_title, "pk")
