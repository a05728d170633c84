"""Why a source was chosen is said after a reload as it was said at first."""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from rag.chat.answering.answers import fresh, stored
from rag.events import Completed, Saved
from rag.models import Exchange, ExchangeCitation
from rag.selectors import shown_exchanges
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.types import Boost, Explanation, Passage, WordMatch, as_kept, from_kept
from tests.conftest import index_text, make_public
from tests.kept import Kept

QUESTION = "Ile dni urlopu przysługuje pracownikowi?"
TEXT = "# Urlopy\n\n## Wymiar\n\nPracownikowi przysługuje 26 dni urlopu wypoczynkowego w roku.\n"


@pytest.fixture(scope="module")
def kept_knowledge(kept_rows: Kept) -> None:
    with kept_rows.writing():
        public = make_public()
        index_text(public, TEXT, name="a.md", title="Urlopy")
        index_text(public, "Psy wolno wprowadzać do parku na smyczy.", name="b.md", title="Psy")


@pytest.fixture
def knowledge(kept_knowledge: None, db: None) -> None:
    """What `kept_knowledge` wrote."""


def test_a_stored_answer_explains_its_sources_as_the_fresh_one_did(knowledge: None) -> None:
    events = list(ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), session_key="s")))
    live = next(fresh(event.answer) for event in events if isinstance(event, Completed))
    saved = next(event for event in events if isinstance(event, Saved))
    exchange = Exchange.objects.get(pk=saved.exchange_id)
    reloaded = stored(shown_exchanges(exchange.conversation, AnonymousUser())[0])
    assert live.sources[0].why.reasons, "the live one says more than the words"
    assert [source.why for source in reloaded.sources] == [source.why for source in live.sources]
    assert [source.words for source in reloaded.sources] == [source.words for source in live.sources]


def test_the_page_shows_every_stage_after_a_reload(client: Client, knowledge: None) -> None:
    page = unescape(client.post("/ask/", {"question": QUESTION}, follow=True).content.decode())
    assert re.search(r'<ul class="reasons">.*1\. miejsce', page, re.DOTALL)
    assert "BM25" in page


def test_an_answer_of_an_older_release_still_shows_the_words(client: Client, knowledge: None) -> None:
    client.post("/ask/", {"question": QUESTION})
    exchange = Exchange.objects.get()
    for kept in ({}, {"relevance": "of another release"}):
        ExchangeCitation.objects.update(found=kept)
        page = client.get(f"/c/{exchange.conversation_id}/").content.decode()
        assert '<ul class="words">' in page
        assert '<ul class="reasons">' not in page


def passage(explanation: Explanation) -> Passage:
    return Passage(
        chunk_id=1, document_id=1, collection="k", title="T", uri="a.md", media_type="text/markdown", text="abc",
        start=0, end=3, line_start=1, line_end=1, relevance=0.5, explanation=explanation,
    )  # fmt: skip


def test_what_is_kept_is_bounded() -> None:
    word = WordMatch(typed="słowo" * 5, lemma="słowo" * 5, forms=("słowami" * 3,) * 500, contribution=1.0)
    huge = Explanation(
        words=(word,) * 500,
        variants=("inaczej " * 5000,) * 50,
        boosts=(Boost(name="b", value=0.1, reason="bo " * 9000),) * 50,
        graph_path=("nazwa" * 900,) * 90,
        alike=tuple(range(9000)),
        neighbours=tuple(range(9000)),
    )
    assert len(json.dumps(as_kept(passage(huge)))) < 20_000
    small = as_kept(passage(Explanation(lexical_rank=1, lexical_score=2.5)))
    assert small == {"relevance": 0.5, "explanation": {"lexical_rank": 1, "lexical_score": 2.5}}
    read = from_kept(small)
    assert read is not None
    assert read.explanation == Explanation(lexical_rank=1, lexical_score=2.5)
