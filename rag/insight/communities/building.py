"""The groups of a collection made anew: read, grouped, summarised, and put in the place of the old ones at once."""

import logging
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from ingestion.models import Collection, Document, KnowledgeChange
from ingestion.selectors.knowledge_version import knowledge_version
from ingestion.types import Progress, no_progress
from knowledgetree.postgres.connections import release_connections
from knowledgetree.postgres.locks import Lock, hold
from rag.errors import LLMError
from rag.insight.communities.centres import Central, Centre, central_chunks, centres_of, labels_of
from rag.insight.communities.extracts import Cited, extracts
from rag.insight.communities.grouping import groups_of
from rag.insight.communities.model_summary import write_summary
from rag.insight.communities.topic_words import read_corpus
from rag.llm import step_model
from rag.llm.configuration import llm_settings
from rag.llm.protocol import LanguageModel
from rag.llm.spending.budgets import affordable
from rag.llm.spending.meter import spending_for
from rag.models import Community, CommunityDocument, CommunitySentence
from rag.search.masking import covered
from rag.search.retrieval.passages import load_passages
from rag.types import Explanation, Passage

log = logging.getLogger("knowledgetree.communities")

PASSAGES = 8  # that a summary is made from
MOST_WRITTEN = 200  # groups that a model summarises, the largest first; the rest get extracts


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """How many groups there are now, of how many documents, and how many of their summaries a model wrote."""

    communities: int
    documents: int
    written: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """`quotes` are what the documents say where the sentences rest on them, whatever is covered for readers."""

    label: str
    members: Sequence[Central]
    model: str = ""
    sentences: Sequence[Cited] = ()
    quotes: Sequence[str] = field(default=())


@spending_for()
def build_communities(*, collection: Collection, progress: Progress = no_progress) -> Built:
    """The old groups stand until the new ones are complete: a killed worker loses nothing."""
    version = knowledge_version([collection.pk])
    corpus = read_corpus(collection.pk)
    groups = groups_of(corpus.documents, corpus.together)
    centres = centres_of(corpus, groups)
    labels = labels_of(centres, collection.pk)
    llm = step_model(affordable(llm_settings()), "summaries")
    drafts = []
    for number, (group, centre, label) in enumerate(zip(groups, centres, labels, strict=True)):
        progress(number, len(groups))
        members = central_chunks(centre, group, collection.pk)
        if len(members) > 1:
            drafts.append(_summarised(collection, label, centre, members, llm if number < MOST_WRITTEN else None))
    _replace(collection, drafts, version)
    progress(len(groups), len(groups))
    return Built(
        communities=len(drafts),
        documents=sum(len(draft.members) for draft in drafts),
        written=sum(bool(draft.model) for draft in drafts),
    )


def is_outdated(collection: Collection) -> bool:
    """Whether it has groups that rest on what it was before; one without groups has nothing to be refreshed."""
    kept = Community.objects.filter(collection=collection).values_list("version", flat=True).first()
    return kept is not None and kept != knowledge_version([collection.pk])


def _summarised(
    collection: Collection, label: str, centre: Centre, members: Sequence[Central], llm: LanguageModel | None
) -> _Draft:
    chunks = {one.chunk_id: Explanation() for one in members[:PASSAGES]}
    passages, _ = load_passages(chunks, [collection.pk])
    shown = covered(passages, [collection])  # everybody reads the summary
    sentences, model = _sentences(label, centre, shown, _language(members), llm)
    quoted = {passage.document_id: passage for passage in passages}
    return _Draft(
        label=label,
        members=members,
        model=model,
        sentences=sentences,
        quotes=[_quote(one, quoted[one.document_id]) for one in sentences],
    )


def _sentences(
    label: str, centre: Centre, passages: Sequence[Passage], language: str, llm: LanguageModel | None
) -> tuple[list[Cited], str]:
    """With the name of the model that wrote them; extracts where there is none, it fails or nothing of it holds."""
    if llm:
        release_connections()
        try:
            timeout = llm_settings().timeout  # that of an answer: nobody waits for it
            held = write_summary(label, passages, language=language, llm=llm, timeout=timeout)
        except LLMError as error:
            log.warning("a group is summarised by extracts", extra={"fields": {"error": str(error)}})
        else:
            if held:
                return held, llm.name
    return extracts(centre.words, passages), ""


def _language(members: Sequence[Central]) -> str:
    """That of most of the documents, of the two that prompts are written in."""
    keys = [one.document_id for one in members]
    languages = Counter(Document.objects.filter(pk__in=keys).values_list("language", flat=True))
    return "en" if languages["en"] > languages["pl"] else "pl"


def _quote(sentence: Cited, passage: Passage) -> str:
    return passage.text[sentence.start - passage.start : sentence.end - passage.start]


@transaction.atomic
def _replace(collection: Collection, drafts: Sequence[_Draft], version: str) -> None:
    """Answers to broad questions rest on the groups, so the knowledge base changes by the weight that is noted."""
    weight = secrets.randbelow(2**32) + 1
    hold(Lock.COMMUNITIES, collection.pk)
    Community.objects.filter(collection=collection).delete()
    living = set(Document.objects.filter(collection=collection).values_list("pk", flat=True))
    for draft in drafts:
        _store(collection, draft, living, str(int(version) + weight))
    KnowledgeChange.objects.create(collection_id=collection.pk, weight=weight)


def _store(collection: Collection, draft: _Draft, living: set[int], version: str) -> None:
    """Without documents that were deleted while the summaries were made."""
    community = Community.objects.create(collection=collection, label=draft.label, model=draft.model, version=version)
    CommunityDocument.objects.bulk_create(
        CommunityDocument(document_id=one.document_id, community=community, ordinal=ordinal, chunk_id=one.chunk_id)
        for ordinal, one in enumerate(draft.members)
        if one.document_id in living
    )
    CommunitySentence.objects.bulk_create(
        CommunitySentence(
            community=community,
            ordinal=ordinal,
            text=one.text,
            document_id=one.document_id,
            start=one.start,
            end=one.end,
            quote=quote,
        )
        for ordinal, (one, quote) in enumerate(zip(draft.sentences, draft.quotes, strict=True))
        if one.document_id in living
    )
