"""What there is on somebody: documents, conversations, marks, test questions and the audit log, looked through by SQL.

For the answer to a request of Art. 15 GDPR. Whoever asks here is a superuser: nothing is covered and nothing left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ingestion.text.personal_data.mentions import mention_pattern

MOST = 500
"""Traces shown of one kind; the number says how many there are."""

_AROUND = 60  # characters of the text before and after


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptWords:
    """A kind of thing where words of or about somebody are kept. `rows` gives number, name, time and text of each;
    `page` is the admin's page of one, "" where it has none.
    """

    name: Promise | str
    rows: str
    page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One thing that mentions somebody `times` times, first in `excerpt`."""

    name: str
    at: datetime | None
    times: int
    excerpt: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """Those of one place: `things` in all, the newest of them listed."""

    place: str
    things: int
    listed: tuple[Trace, ...]


PLACES = (
    KeptWords(
        name=_("Documents"),
        rows="""SELECT d.id::text AS id, d.title AS name, d.modified AS at,
                concat_ws(E'\\n', d.title, d.uri, e.text) AS text
            FROM ingestion_document d LEFT JOIN ingestion_extraction e ON e.document_id = d.id""",
        page="ingestion_document",
    ),
    KeptWords(
        name=_("Earlier versions of documents"),
        rows="""SELECT d.id::text AS id, d.title || ' / ' || v.number AS name, v.created AS at, v.text AS text
            FROM ingestion_documentversion v JOIN ingestion_document d ON d.id = v.document_id""",
        page="ingestion_document",
    ),
    KeptWords(
        name=_("Chunks changed by an editor"),
        rows="""SELECT c.id::text AS id, d.title AS name, d.modified AS at, c.text AS text
            FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id WHERE c.original_text <> ''""",
        page="ingestion_chunk",
    ),
    KeptWords(
        name=_("Questions and answers"),
        rows="""SELECT x.id::text AS id, left(x.question, 200) AS name, x.created AS at,
                concat_ws(E'\\n', t.title, x.question, x.searched, x.answer, (
                    SELECT string_agg(c.quote, E'\\n') FROM rag_exchangecitation c WHERE c.exchange_id = x.id
                )) AS text
            FROM rag_exchange x JOIN rag_conversation t ON t.id = x.conversation_id""",
        page="rag_exchange",
    ),
    KeptWords(
        name=_("Comments of readers"),
        rows="""SELECT f.exchange_id::text AS id, left(x.question, 200) AS name, f.modified AS at, f.comment AS text
            FROM rag_feedback f JOIN rag_exchange x ON x.id = f.exchange_id
            UNION ALL
            SELECT r.exchange_id::text, left(x.question, 200), r.created, r.comment
            FROM rag_gapreport r JOIN rag_exchange x ON x.id = r.exchange_id""",
        page="rag_exchange",
    ),
    KeptWords(
        name=_("Knowledge gaps"),
        rows="""SELECT g.id::text AS id, left(g.task, 200) AS name, g.modified AS at,
                concat_ws(E'\\n', g.task, g.note) AS text FROM rag_knowledgegap g""",
        page="rag_knowledgegap",
    ),
    KeptWords(
        name=_("Evaluation sets"),
        rows="""SELECT s.id::text AS id, s.name AS name, s.modified AS at,
                concat_ws(E'\\n', q.text, q.expected_answer) AS text
            FROM rag_evaluationquestion q JOIN rag_evaluationdataset s ON s.id = q.dataset_id""",
        page="rag_evaluationdataset",
    ),
    KeptWords(
        name=_("Accounts"),
        rows="""SELECT u.id::text AS id, u.username AS name, u.last_login AS at,
                concat_ws(E'\\n', u.username, u.first_name || ' ' || u.last_name, u.email) AS text FROM auth_user u""",
        page="auth_user",
    ),
    KeptWords(
        name=_("Log of the administration"),
        rows="""SELECT l.id::text AS id, l.object_repr AS name, l.action_time AS at,
                concat_ws(E'\\n', l.object_repr, l.change_message) AS text FROM django_admin_log l""",
    ),
    KeptWords(
        name=_("Reports of synchronisations"),
        rows="""SELECT r.id::text AS id, s.name AS name, r.started AS at,
                concat_ws(E'\\n', s.name, r.error, r.lists::text) AS text
            FROM ingestion_syncreport r JOIN ingestion_source s ON s.id = r.source_id""",
        page="ingestion_syncreport",
    ),
    KeptWords(
        name=_("Messages of webhooks"),
        rows="""SELECT w.id::text AS id, w.event AS name, w.created AS at, w.body AS text
            FROM knowledgetree_webhookdelivery w""",
        page="knowledgetree_webhookdelivery",
    ),
    KeptWords(
        name=_("Audit log"),
        rows="""SELECT a.id::text AS id, a.action AS name, a.at AS at,
                concat_ws(E'\\n', a.user_name, a.label, a.text, a.details::text) AS text
            FROM knowledgetree_auditentry a""",
        page="knowledgetree_auditentry",
    ),
)
_TRACES = """
WITH found AS (
    SELECT r.id, r.name, r.at, regexp_count(r.text, %(pattern)s, 1, 'i') AS times,
        substring(r.text FROM greatest(1, regexp_instr(r.text, %(pattern)s, 1, 1, 0, 'i') - %(around)s)
            FOR %(around)s + %(around)s + 40) AS excerpt
    FROM ({rows}) AS r WHERE r.text ~* %(pattern)s
)
SELECT id, name, at, times, excerpt, count(*) OVER () FROM found ORDER BY at DESC NULLS LAST, id LIMIT %(most)s
"""


def traces_of(said: Sequence[str]) -> list[Traces]:
    """Where any of `said`, names, numbers or addresses, is mentioned, by place; places without are left out.

    Raises UnusableMention (`ingestion.text.personal_data.mentions`).
    """
    pattern = "|".join(mention_pattern(one) for one in said)
    return [traces for place in PLACES if (traces := _traces(place, pattern)).things]


def _traces(place: KeptWords, pattern: str) -> Traces:
    with connection.cursor() as cursor:
        cursor.execute(
            _TRACES.format(rows=place.rows.replace("%", "%%")), {"pattern": pattern, "around": _AROUND, "most": MOST}
        )
        rows = cursor.fetchall()
    return Traces(place=str(place.name), things=rows[0][-1] if rows else 0, listed=tuple(_each(place, rows)))


def _each(place: KeptWords, rows: Sequence[tuple[str, str, datetime | None, int, str, int]]) -> Iterator[Trace]:
    for number, name, at, times, excerpt, _all in rows:
        address = reverse(f"admin:{place.page}_change", args=[number]) if place.page else ""
        yield Trace(name=name, at=at, times=times, excerpt=" ".join(excerpt.split()), address=address)
