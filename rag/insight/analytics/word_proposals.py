"""Words that readers use and documents do not, learnt from what answered their questions.

A question about "wolne" finds nothing; an editor says which document answers it, or a reader finds the answer by other
words and marks it helpful. Where two questions or more point from one word to one document, editors are asked whether
the word means what the document is about.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count, QuerySet

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_documents
from ingestion.text.analyser import analyser
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.postgres.locks import Lock, try_to_hold
from rag.models import Exchange, ExchangeCitation, Feedback, KnowledgeGap, WordProposal
from rag.search.query.expanded_query import analysed_and_expanded
from rag.search.query.terms import QueryTerm
from rag.selectors import as_told, readable_exchanges
from rag.selectors.documents import ShownDocument, shown_documents
from rag.selectors.headings import is_for_everyone

LEAST_QUESTIONS = 2
"""From a single one it cannot be told which of its words the document lacks by chance."""

_LOOKED_AT = 1000  # pairs of a question and a document, the newest first
_MOST_WORDS = 3  # of what a document calls it
_SHORTEST = 3  # characters of a word
_EXAMPLES = 3
_PART = re.compile(r"\s+[–—-]\s+|[:(,;?/]|\s+(?:i|oraz|lub|albo|dla|and|or|for)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownProposal:
    """`times`: in how many questions that the viewer may read the word stands; `examples` are some of them."""

    proposal: WordProposal
    document: ShownDocument
    times: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pointer:
    """A question and a document that answers it."""

    exchange: UUID
    text: str
    document: int


@transaction.atomic
def propose_words() -> int:
    """How many proposals are open now. Those whose questions or reasons are gone are taken back; decided ones stay.

    While another task looks for them, it is left to that one.
    """
    if not try_to_hold(Lock.WORD_PROPOSALS):
        return 0
    behind = _behind_each_word()
    documents = Document.objects.select_related("collection").in_bulk({document for _word, document in behind})
    kept, new = [], []
    for (word, key), exchanges in behind.items():
        offered = called(documents[key].title)
        if len(exchanges) < LEAST_QUESTIONS or not offered:
            continue
        proposal, created = WordProposal.objects.get_or_create(
            word=word, document=documents[key], defaults={"offered": offered}
        )
        if proposal.status == WordProposal.Status.NEW:
            proposal.exchanges.set(Exchange.objects.filter(pk__in=exchanges))
            kept.append(proposal.pk)
            new += [proposal.pk] if created else []
    WordProposal.objects.filter(status=WordProposal.Status.NEW).exclude(pk__in=kept).delete()
    if new:
        announce(AnnouncedEvent.PROPOSALS_WAITING, about=new, proposed=len(new))
    return len(kept)


def called(title: str) -> str:
    """What a document of this title is about, in at most three content words; "" where the title does not say.

    Names and numbers that are personal are never offered.
    """
    text = _PART.split(title.strip(), maxsplit=1)[0].strip(" .")
    words = analyser().content_tokens(text)
    if not words or not is_for_everyone(text) or not all(word.form.isalpha() for word in words):
        return ""
    if len(words) > _MOST_WORDS:
        text = text[: words[_MOST_WORDS - 1].end]
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def proposals_for(viewer: Viewer) -> QuerySet[WordProposal]:
    """Open ones about documents that `viewer` may read, with a question that they may read; the most asked first."""
    questions = readable_exchanges(viewer)
    found = WordProposal.objects.filter(
        status=WordProposal.Status.NEW, document__in=visible_documents(viewer), exchanges__in=questions
    )
    return found.select_related("document__collection").annotate(times=Count("exchanges")).order_by("-times", "word")


def shown_proposals(viewer: Viewer) -> list[ShownProposal]:
    found = list(proposals_for(viewer))
    documents = {one.pk: one for one in shown_documents(viewer, [proposal.document for proposal in found])}
    return [
        ShownProposal(
            proposal=proposal,
            document=documents[proposal.document_id],
            times=proposal.times,  # type: ignore[attr-defined]
            examples=_examples(proposal, viewer),
        )
        for proposal in found
    ]


def _examples(proposal: WordProposal, viewer: Viewer) -> tuple[str, ...]:
    readable = readable_exchanges(viewer).filter(pk__in=proposal.exchanges.values("pk")).order_by("-created")
    texts = dict.fromkeys(" ".join((one.searched or one.question).split()) for one in readable[: 3 * _EXAMPLES])
    return tuple(as_told(text, viewer) for text in list(texts)[:_EXAMPLES])


def _behind_each_word() -> dict[tuple[str, int], set[UUID]]:
    """The questions behind each word that the collection of their document lacks."""
    behind: dict[tuple[str, int], set[UUID]] = defaultdict(set)
    pointers = [*_by_editors(), *_by_readers()]
    ready = Document.objects.filter(pk__in={pointer.document for pointer in pointers}, status=Document.Status.READY)
    collections = {document.pk: document.collection for document in ready.select_related("collection")}
    for pointer in pointers:
        if pointer.document in collections:
            for word in lacking_words(pointer.text, collections[pointer.document]):
                behind[word, pointer.document].add(pointer.exchange)
    return behind


def lacking_words(text: str, collection: Collection) -> set[str]:
    """Base forms of the words of a question that no document of `collection` has and nothing is searched for.

    Without names, and without what may be personal.
    """
    query = analysed_and_expanded(text, [collection])
    explained = {word for alternative in query.alternatives for word in alternative.typed.split()}
    return {term.lemma for term in query.terms if _is_lacking(term) and term.typed not in explained}


def _is_lacking(term: QueryTerm) -> bool:
    told = term.lemma.isalpha() and len(term.lemma) >= _SHORTEST and is_for_everyone(term.lemma)
    return told and not term.name and not term.occurs


def _by_editors() -> Iterator[_Pointer]:
    """Questions of gaps that an editor answered by a document."""
    answered = KnowledgeGap.objects.filter(status=KnowledgeGap.Status.ANSWERED).exclude(answered_by=None)
    rows = answered.order_by("-exchanges__created").values_list(
        "exchanges", "exchanges__searched", "exchanges__question", "answered_by"
    )
    for exchange, searched, question, document in rows[:_LOOKED_AT]:
        if exchange:
            yield _Pointer(exchange=exchange, text=searched or question, document=document)


def _by_readers() -> Iterator[_Pointer]:
    """Questions whose answer a reader called helpful, with the document that it cites first."""
    good = Feedback.objects.filter(verdict=Feedback.Verdict.GOOD).values("exchange")
    rows = (
        ExchangeCitation.objects.filter(exchange__in=good, number=1, origin="document")
        .exclude(document=None)
        .order_by("-exchange__created")
        .values_list("exchange", "exchange__searched", "exchange__question", "document")
    )
    for exchange, searched, question, document in rows[:_LOOKED_AT]:
        yield _Pointer(exchange=exchange, text=searched or question, document=document or 0)
