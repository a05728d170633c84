"""What is kept, for whom and for how long."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone, translation

from ingestion.models import Collection, Document
from ingestion.services.documents import delete_document
from knowledgetree.conf import rag_settings
from rag.answering.cache import answers
from rag.answering.cache.answers import AnswerCache
from rag.models import CachedAnswer
from rag.question import Background, Turn
from rag.services.maintenance import forget_old_answers
from rag.types import Answer, Filters, Notice, Step
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.rag.answering.cache.asking import answered, answered_anew, asked

QUESTION = "Ile dni wynosi urlop wypoczynkowy?"


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(
            make_public(), "Urlop wypoczynkowy wynosi 26 dni.\n\nUrząd jest czynny od 8:00.", metadata={"a": [1]}
        )


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


@pytest.fixture
def cache() -> AnswerCache:
    return AnswerCache(rag_settings())


@pytest.fixture
def answer(document: Document, anonymous: AnonymousUser) -> Answer:
    found = answered_anew(QUESTION, anonymous)
    assert found.citations
    return found


def test_an_answer_comes_back_as_it_was(answer: Answer, cache: AnswerCache, anonymous: AnonymousUser) -> None:
    asking = asked(QUESTION, anonymous)
    assert cache.get(asking.key, asking.question) is None
    assert cache.put(asking.key, asking.question, answer)
    kept = cache.get(asking.key, asking.question)
    assert kept
    assert kept.metrics.cache == "answers"
    assert kept.metrics.cost == kept.metrics.tokens.total == 0
    assert set(kept.metrics.latency) == {"cache", "total"}
    assert replace(kept, metrics=answer.metrics) == answer
    assert replace(kept.metrics, cache="", latency=answer.metrics.latency) == answer.metrics


def test_a_question_worded_alike_gets_it_under_its_own_words(document: Document, anonymous: AnonymousUser) -> None:
    first = answered(QUESTION, anonymous)
    second = answered("proszę powiedz: urlop wypoczynkowy ile dni wynosi", anonymous)
    assert second.metrics.cache == "answers"
    assert second.question == "proszę powiedz: urlop wypoczynkowy ile dni wynosi"
    assert second.text == first.text


def test_a_question_below_the_cosine_is_answered_anew(
    document: Document, anonymous: AnonymousUser, settings: Any
) -> None:
    settings.RAG = {**settings.RAG, "caches": {"answer_similarity": 1.01}}
    answered(QUESTION, anonymous)
    assert answered("urlop wypoczynkowy ile dni wynosi", anonymous).metrics.cache == ""
    assert answered(QUESTION, anonymous).metrics.cache == "answers"


def test_that_nothing_was_found_is_kept_until_something_is_there(
    public: Collection, index: AddDocument, anonymous: AnonymousUser
) -> None:
    assert answered(QUESTION, anonymous).outcome == "not_found"
    assert answered(QUESTION, anonymous).metrics.cache == "answers"
    index(public, "Urlop wypoczynkowy wynosi 26 dni.")
    assert "26" in answered(QUESTION, anonymous).text


OTHER_KEYS: dict[str, dict[str, Any]] = {
    "instructions": {"background": Background(instructions="Odpowiadaj krótko.")},
    "page": {"background": Background(page="Regulamin")},
    "web": {"web": True},
    "length": {"max_tokens": 100},
    "threshold": {"threshold": 0.3},
    "validity": {"filters": Filters(valid_on=date(2020, 1, 1))},
    "metadata": {"filters": Filters(metadata={"a": [1]})},
    "preset": {"preset": {"neighbours": 2}},
    "assistant": {"assistant": 7},
    "rights": {"rights": ("personal data",)},
}


@pytest.mark.parametrize("name", OTHER_KEYS)
def test_what_decides_the_answer_is_in_the_key(name: str, document: Document, anonymous: AnonymousUser) -> None:
    assert asked(QUESTION, anonymous, **OTHER_KEYS[name]).key.digest != asked(QUESTION, anonymous).key.digest


def test_the_language_of_the_interface_is_in_the_key(document: Document, anonymous: AnonymousUser) -> None:
    with translation.override("en"):
        english = asked(QUESTION, anonymous).key
    assert english.digest != asked(QUESTION, anonymous).key.digest


def test_the_settings_are_in_the_key_without_their_secret(
    document: Document, anonymous: AnonymousUser, settings: Any
) -> None:
    def digest(**llm: Any) -> str:
        settings.RAG = {**settings.RAG, "preset": "offline", "llm": llm}
        return asked(QUESTION, anonymous).key.digest

    assert digest(model="a", api_key="1") != digest(model="b", api_key="1")
    assert digest(model="a", api_key="1") == digest(model="a", api_key="2")


def test_those_who_may_read_the_same_share_answers_others_do_not(
    document: Document, internal: Collection, anonymous: AnonymousUser, employee: User, superuser: User
) -> None:
    answered(QUESTION, employee)
    assert answered(QUESTION, superuser).metrics.cache == "answers"
    assert answered(QUESTION, anonymous).metrics.cache == ""


def test_another_day_is_another_answer(document: Document, anonymous: AnonymousUser, monkeypatch: Any) -> None:
    today = asked(QUESTION, anonymous).key
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    assert asked(QUESTION, anonymous).key.digest != today.digest


UNSOUND: dict[str, Callable[[Answer], Answer]] = {
    "a notice": lambda a: replace(a, notices=(Notice(code="llm_unavailable", message="…"),)),
    "passages alone": lambda a: replace(a, outcome="passages_only"),
    "said directly": lambda a: replace(a, outcome="direct"),
    "from the web": lambda a: replace(a, passages=tuple(replace(p, origin="web") for p in a.passages)),
    "a web search": lambda a: replace(a, metrics=replace(a.metrics, web_fallback=True)),
    "from the cache": lambda a: replace(a, metrics=replace(a.metrics, cache="answers")),
    "a failed step": lambda a: replace(a, steps=(Step(number=1, kind="rag_search", status="failed"),)),
    "of a document that is gone": lambda a: replace(a, passages=(replace(a.passages[0], document_id=2**40),)),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_what_need_not_be_so_again_is_not_kept(
    name: str, answer: Answer, cache: AnswerCache, anonymous: AnonymousUser
) -> None:
    asking = asked(QUESTION, anonymous)
    assert not cache.put(asking.key, asking.question, UNSOUND[name](answer))
    assert not CachedAnswer.objects.exists()


def test_follow_ups_and_passages_alone_have_no_key(document: Document, anonymous: AnonymousUser, settings: Any) -> None:
    question, preset = (asking := asked(QUESTION, anonymous)).question, asking.preset
    cache, talk = AnswerCache(rag_settings()), Background(history=(Turn(question="a", answer="b"),))
    assert cache.key(replace(question, background=talk), preset=preset) is None
    assert cache.key(replace(question, synthesize=False), preset=preset) is None
    settings.RAG = {**settings.RAG, "caches": {"answer_hours": 0}}
    assert AnswerCache(rag_settings()).key(question, preset=preset) is None


def test_a_change_during_the_answering_leaves_it_under_the_old_version(
    document: Document, cache: AnswerCache, anonymous: AnonymousUser
) -> None:
    asking = asked(QUESTION, anonymous)
    answer = answered_anew(QUESTION, anonymous)
    Document.objects.update(title="Zmieniony")
    assert cache.put(asking.key, asking.question, answer)
    later = asked(QUESTION, anonymous)
    assert cache.get(later.key, later.question) is None


def test_no_quote_outlives_its_document(answer: Answer, cache: AnswerCache, anonymous: AnonymousUser) -> None:
    asking = asked(QUESTION, anonymous)
    cache.put(asking.key, asking.question, answer)
    delete_document(document=Document.objects.get())
    assert not CachedAnswer.objects.exists()


def test_an_answer_of_a_hidden_document_is_not_given_even_under_its_key(
    answer: Answer, cache: AnswerCache, anonymous: AnonymousUser
) -> None:
    asking = asked(QUESTION, anonymous)
    cache.put(asking.key, asking.question, answer)
    Document.objects.update(status="archived")
    assert cache.get(asking.key, asking.question) is None


def test_an_answer_of_another_release_is_not_read(answer: Answer, cache: AnswerCache, anonymous: AnonymousUser) -> None:
    asking = asked(QUESTION, anonymous)
    cache.put(asking.key, asking.question, answer)
    CachedAnswer.objects.update(answer='{"words": "…"}')
    assert cache.get(asking.key, asking.question) is None


def test_answers_expire_and_are_forgotten_at_night(
    answer: Answer, cache: AnswerCache, anonymous: AnonymousUser
) -> None:
    asking = asked(QUESTION, anonymous)
    cache.put(asking.key, asking.question, answer)
    CachedAnswer.objects.update(created=timezone.now() - timedelta(hours=23))
    assert forget_old_answers() == 0
    assert cache.get(asking.key, asking.question)
    CachedAnswer.objects.update(created=timezone.now() - timedelta(hours=25))
    assert cache.get(asking.key, asking.question) is None
    assert forget_old_answers() == 1


def test_the_newest_are_kept_when_there_are_too_many(db: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(answers, "MOST", 3)
    for number in range(5):
        CachedAnswer.objects.create(key="k", wording=str(number), exact="e", question="?", answer="{}")
    assert forget_old_answers() == 2
    assert sorted(CachedAnswer.objects.values_list("wording", flat=True)) == ["2", "3", "4"]
