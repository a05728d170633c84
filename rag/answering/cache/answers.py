"""Answers given again to those who ask the same, as long as nothing that they rest on has changed."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import connection
from pydantic import TypeAdapter, ValidationError

from ingestion.embedding.cache import query_vector
from ingestion.models import EmbeddingSpace
from ingestion.selectors import embedder_of
from knowledgetree.conf import RAGSettings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.optional import optional_write
from rag.answering.cache.key import AnswerKey, answer_key, settings_digest
from rag.answering.cache.wording import exact, wording
from rag.presets import Preset
from rag.question import Question
from rag.search.retrieval.filters import named, readable_documents
from rag.types import Answer, Citation, Passage, Tokens

MOST = 2000
"""Answers kept; of about 20 KB each once PostgreSQL has compressed them."""

_NEAREST = 5  # questions of one wording that are compared
_stored = TypeAdapter(Answer)

# The key holds the version, so the documents are there. They are looked for all the same: what is gone is never shown.
_FIND = f"""
SELECT exact, question, answer FROM rag_cachedanswer AS kept
WHERE key = %(key)s AND wording = %(wording)s AND created > now() - make_interval(secs => %(age)s) AND NOT EXISTS (
    SELECT FROM unnest(kept.documents) AS shown(id) WHERE NOT EXISTS (
        SELECT FROM ingestion_document d
        WHERE d.id = shown.id AND d.status = 'ready' AND d.collection_id = ANY(%(collections)s) AND {{readable}}
    )
)
ORDER BY exact = %(exact)s DESC, created DESC LIMIT {_NEAREST}
"""  # noqa: S608  (a number of ours)
_KEEP = """
INSERT INTO rag_cachedanswer (key, wording, exact, question, answer, documents, created)
SELECT %(key)s, %(wording)s, %(exact)s, %(question)s, %(answer)s, %(documents)s::bigint[], now()
WHERE NOT EXISTS (
    SELECT FROM unnest(%(documents)s::bigint[]) AS shown(id)
    WHERE NOT EXISTS (SELECT FROM ingestion_document d WHERE d.id = shown.id)
)
ON CONFLICT (key, wording, exact) DO UPDATE
    SET question = excluded.question, answer = excluded.answer, documents = excluded.documents, created = now()
RETURNING id
"""
# Rows that a deletion of their document has in hand are left to it.
_FORGET = """
DELETE FROM rag_cachedanswer WHERE id IN (
    SELECT id FROM rag_cachedanswer
    WHERE created <= now() - make_interval(secs => %(age)s)
        OR id IN (SELECT id FROM rag_cachedanswer ORDER BY created DESC, id DESC OFFSET %(most)s)
        OR EXISTS (SELECT FROM unnest(documents) AS shown(id)
                   WHERE NOT EXISTS (SELECT FROM ingestion_document d WHERE d.id = shown.id))
    FOR UPDATE SKIP LOCKED
)
"""
_FORGET_EVERY = 200  # answers kept: so the table cannot grow by much more before the night


class AnswerCache:
    """Make the key before the search, and keep the answer under that same key."""

    def __init__(self, settings: RAGSettings) -> None:
        self._seconds = settings.caches.answer_hours * 3600
        self._similarity = settings.caches.answer_similarity
        self._settings = settings_digest(settings)

    def key(
        self, question: Question, *, preset: Preset, assistant: int | None = None, rights: Sequence[str] = ()
    ) -> AnswerKey | None:
        """None where no answer may be kept: of follow-ups, where passages alone are wanted, without a cache."""
        if self._seconds <= 0 or question.background.history or not question.synthesize:
            return None
        return answer_key(question, preset=preset, assistant=assistant, rights=rights, settings=self._settings)

    def get(self, key: AnswerKey, question: Question) -> Answer | None:
        """The answer to the same question, else to one worded alike; as of now, in cost and time too."""
        started = time.perf_counter()
        kept = self._found(key, question)
        if kept is None:
            return None
        spent = (time.perf_counter() - started) * 1000
        metrics = replace(
            kept.metrics,
            cache="answers",
            latency={"cache": spent, "total": spent},
            tokens=Tokens(),
            usage={},
            models={},
            costs={},
            cost=0.0,
            unpriced=(),
        )
        return replace(kept, question=question.typed or question.text, metrics=metrics)

    def put(self, key: AnswerKey, question: Question, answer: Answer) -> bool:
        """Whether the answer was kept: not if something failed on the way, came from the web, or is gone by now, nor
        where the database has no room.
        """
        if not _is_sound(answer):
            return False
        values: dict[str, Any] = {
            **_hashes(key, question),
            "question": question.text,
            "answer": _stored.dump_json(answer).decode(),
            "documents": sorted(_documents(answer)),
        }
        row = None
        with optional_write("an answer of the cache"), connection.cursor() as cursor:
            cursor.execute(_KEEP, values)
            row = cursor.fetchone()
        if row and row[0] % _FORGET_EVERY == 0:
            self.forget_old()
        return row is not None

    def forget_old(self) -> int:
        """Delete what is too old, too much, or of documents that are gone; how many."""
        with connection.cursor() as cursor:
            cursor.execute(_FORGET, {"age": self._seconds, "most": MOST})
            return int(cursor.rowcount)

    def _found(self, key: AnswerKey, question: Question) -> Answer | None:
        hashes = _hashes(key, question)
        readable, own = named(readable_documents(key.clearance))
        values = {**hashes, **own, "age": self._seconds, "collections": list(key.collections)}
        with connection.cursor() as cursor:
            cursor.execute(_FIND.format(readable=readable), values)
            rows = cursor.fetchall()
        for found, asked, answer in rows:
            if found == hashes["exact"] or _similarity(question.text, asked, key.space) >= self._similarity:
                return _restored(answer)
        return None


def _hashes(key: AnswerKey, question: Question) -> dict[str, Any]:
    return {
        "key": key.digest,
        "wording": wording(question.text, question.language),
        "exact": exact(question.text),
    }


def _is_sound(answer: Answer) -> bool:
    return (
        answer.outcome in ("answered", "not_certain", "not_found")
        and not answer.notices
        and not answer.metrics.cache
        and not answer.metrics.web_fallback
        and all(step.status != "failed" for step in answer.steps)
        and all(shown.origin == "document" for shown in _shown(answer))
    )


def _documents(answer: Answer) -> set[int]:
    """Those of its passages and those that are only named: it goes with any of them."""
    return {shown.document_id for shown in (*_shown(answer), *answer.related)}


def _shown(answer: Answer) -> list[Passage | Citation]:
    return [*answer.passages, *answer.citations]


def _similarity(text: str, other: str, space: EmbeddingSpace | None) -> float:
    """The cosine of two questions; -1 where nothing can compare them now."""
    if space is None:
        return -1.0
    try:
        embedder = embedder_of(space)
        return float(query_vector(embedder, text) @ query_vector(embedder, other))
    except KnowledgeTreeError:
        return -1.0


def _restored(stored: str) -> Answer | None:
    try:
        return _stored.validate_json(stored)
    except ValidationError:  # kept by another release
        return None
