"""What a question without an answer says of itself: under which words it was looked for, and where it came near."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client

from ingestion.models import Collection, Synonym, SynonymGroup
from ingestion.services.synonyms import save_synonym
from rag.chat.answering.nearest import nearest_found
from rag.models import Exchange
from rag.selectors import shown_exchanges
from rag.services.ask import answer_question
from rag.types import Answer, SearchedWord
from tests.conftest import AddDocument, index_text, make_public, make_restricted
from tests.kept import Kept

QUESTION = "Jaki kwarcolit dostaje kosmonauta za wolne w Australii?"


@pytest.fixture(scope="module")
def kept_knowledge(kept_rows: Kept) -> None:
    with kept_rows.writing():
        public = make_public()
        restricted = make_restricted()
        index_text(
            public,
            "# Urlopy\n\n## Dni wolne\n\nPracownik ma wolne w święta i w niedziele.\n",
            name="a.md",
            title="Urlopy",
        )
        index_text(
            restricted,
            "# Tajne\n\n## Kwarcolit\n\nKwarcolit i mirabil to klauzula zarządu.\n",
            name="b.md",
            title="Tajne",
        )
        _group(None, "kosmonauta", "pracownik", "mirabil")
        _group(restricted, "wolne", "klauzula zarządu")


@pytest.fixture
def knowledge(kept_knowledge: None, db: None) -> None:
    """What `kept_knowledge` wrote."""


def _group(collection: Collection | None, *texts: str) -> None:
    group = SynonymGroup.objects.create(name=texts[0], collection=collection)
    for position, text in enumerate(texts):
        save_synonym(synonym=Synonym(group=group, text=text, position=position))


def asked(viewer: User | AnonymousUser, question: str = QUESTION) -> Answer:
    return answer_question(question, viewer=viewer, min_relevance=0.99, save=False)


def words(answer: Answer) -> dict[str, SearchedWord]:
    return {word.typed: word for word in answer.searched_words}


@pytest.mark.usefixtures("knowledge")
def test_the_words_of_the_question_are_named_with_what_was_searched_for_them(anonymous: AnonymousUser) -> None:
    answer = asked(anonymous)
    assert answer.outcome == "not_found"
    assert words(answer)["kosmonauta"] == SearchedWord(
        typed="kosmonauta", other_words=("pracownik",), in_documents=False
    )
    assert words(answer)["wolne"].in_documents
    assert "za" not in words(answer)


@pytest.mark.usefixtures("knowledge")
def test_nothing_of_a_collection_that_the_asker_does_not_read_shows(anonymous: AnonymousUser, member: User) -> None:
    """Neither that it has a word, nor its synonyms, nor its titles."""
    strangers, members = asked(anonymous), asked(member)
    assert not words(strangers)["kwarcolit"].in_documents
    assert words(members)["kwarcolit"].in_documents
    assert words(strangers)["wolne"].other_words == ()
    assert words(members)["wolne"].other_words == ("klauzula zarządu",)
    assert "mirabil" not in str(strangers.searched_words)
    assert "mirabil" in str(members.searched_words)
    assert not any("Tajne" in section.title for section in strangers.nearest_sections)


@pytest.mark.usefixtures("knowledge")
def test_words_stand_as_they_were_written_but_for_the_capital_of_the_beginning(anonymous: AnonymousUser) -> None:
    assert list(words(asked(anonymous, "Napisz mi wiersz o Oławie i RODO"))) == ["napisz", "wiersz", "Oławie", "RODO"]


@pytest.mark.usefixtures("knowledge")
def test_a_slip_and_missing_diacritics_are_said(anonymous: AnonymousUser) -> None:
    found = words(asked(anonymous, "Kiedy pracowwnik ma zaswiadczenie o astronomii?"))
    assert found["pracowwnik"].read_as[0] == "pracownik"
    assert found["pracowwnik"].in_documents
    assert found["zaswiadczenie"].read_as == ("zaświadczenie",)
    assert not found["zaswiadczenie"].in_documents


def test_a_phrase_is_named_with_its_other_words(public: Collection, index: AddDocument, employee: User) -> None:
    index(public, "# Urlopy\n\nUrlop wypoczynkowy pracownika to czas odpoczynku.\n")
    _group(None, "dzień wolny", "urlop wypoczynkowy")
    found = words(asked(employee, "Ile dni wolnych mają strażacy w Australii?"))
    assert found["dni wolnych"].other_words == ("urlop wypoczynkowy",)


def test_a_number_that_may_be_personal_is_not_called_missing(
    public: Collection, index: AddDocument, anonymous: AnonymousUser
) -> None:
    """It is not looked up, so nothing can be said of it."""
    public.mask_personal_data = True
    public.save()
    index(public, "# Spis\n\nTelefon Anny to 512 345 678, biuro czynne rano.\n")
    found = words(asked(anonymous, "Czyj telefon ma 512345678 w Australii?"))
    assert found["512345678"].in_documents
    assert not found["Australii"].in_documents


@pytest.mark.usefixtures("knowledge")
def test_the_sections_that_came_near_are_named_once_and_open_at_the_passage(
    client: Client, anonymous: AnonymousUser
) -> None:
    answer = answer_question("Jaka jest stolica Australii według pracownika?", viewer=anonymous, save=False)
    assert answer.outcome == "not_found"
    section = answer.nearest_sections[0]
    assert (section.title, section.headings) == ("Urlopy", ("Dni wolne",))
    assert len({(one.title, one.headings) for one in answer.nearest_sections}) == len(answer.nearest_sections)
    assert 'id="cytat"' in client.get(section.url).content.decode()


@pytest.mark.usefixtures("knowledge")
def test_an_answer_says_nothing_of_the_kind(anonymous: AnonymousUser) -> None:
    answer = answer_question("Kiedy pracownik ma wolne?", viewer=anonymous, save=False)
    assert answer.outcome == "answered"
    assert (answer.searched_words, answer.nearest_sections) == ((), ())


@pytest.mark.usefixtures("knowledge")
def test_after_a_reload_it_is_what_the_reader_may_see_by_then(member: User, restricted: Collection) -> None:
    answer_question(QUESTION, viewer=member, min_relevance=0.99, save=True)
    kept = Exchange.objects.get()
    before = nearest_found(shown_exchanges(kept.conversation, member)[0], member)
    assert next(word for word in before.words if word.typed == "kwarcolit").in_documents
    assert "Tajne" in {section.title for section in before.sections}
    member.groups.clear()
    kept.collections.clear()  # as where nothing was shown
    after = nearest_found(shown_exchanges(kept.conversation, member)[0], member)
    assert not next(word for word in after.words if word.typed == "kwarcolit").in_documents
    assert "Tajne" not in {section.title for section in after.sections}


@pytest.mark.usefixtures("knowledge")
def test_the_api_says_it_too(client: Client) -> None:
    body = {"question": QUESTION, "min_relevance": 0.99, "include_metadata": False}
    answer = client.post("/api/ask", body, content_type="application/json").json()
    assert answer["outcome"] == "not_found"
    assert {"typed": "kosmonauta", "read_as": [], "other_words": ["pracownik"], "in_documents": False} in answer[
        "searched_words"
    ]
